import type { Plugin } from "vitest/config";

export function nativeModules(): Readonly<Record<string, string>>;
export function importingNativeModules(): Plugin;
