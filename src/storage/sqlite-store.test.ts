import { storageContract } from "./contract.ts";
import { storageModel } from "./model-contract.ts";
import { sqliteVariant } from "./sqlite-variant.ts";

storageContract("sqlite", sqliteVariant());
storageModel("sqlite", sqliteVariant());
