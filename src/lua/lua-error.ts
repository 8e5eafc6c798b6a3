/** A script, or what it is given or returns, is at fault: Lua itself is as good as before. */
export class LuaError extends Error {}
