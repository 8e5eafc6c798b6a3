import { type StoreVariant, storageContract } from "./contract.ts";
import { openMemoryStore } from "./memory-store.ts";
import { storageModel } from "./model-contract.ts";

const variant: StoreVariant = { open: async (options = {}) => openMemoryStore(options) };
storageContract("memory", variant);
storageModel("memory", variant);
