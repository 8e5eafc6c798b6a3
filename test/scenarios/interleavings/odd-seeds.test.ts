import { tellSequences } from "./tell-sequences.ts";

tellSequences({ share: 1, of: 2 });
