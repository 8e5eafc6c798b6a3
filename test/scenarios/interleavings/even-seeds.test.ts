import { tellSequences } from "./tell-sequences.ts";

tellSequences({ share: 0, of: 2 });
