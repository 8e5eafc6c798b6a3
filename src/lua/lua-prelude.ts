/** What scripts may have at most in one string. */
export const maxStringBytes = 1_000_000;
/** What a result may have at most, as JSON. */
export const maxResultBytes = 4_000_000;
/** How deep a result may nest; also ends cycles. */
const maxResultDepth = 100;

/**
 * Runs before every script, in a state of its own. Scripts see `env` alone: a list of what is allowed, not what is left over. Nothing of
 * JavaScript can be reached: a function of `kube` hands its question to the outermost caller and is resumed with the answer, which is
 * why `pcall` must let such questions pass.
 *
 * The globals `A` (marks a list), `N` (a null that stands in a list), `chunk`, `entry`, `args`, `argc`, `answer` and `step` are the host's.
 */
export const luaPrelude = `
local create, resume, yield, status = coroutine.create, coroutine.resume, coroutine.yield, coroutine.status
local error, type, tostring, select, unpack, next, pairs = error, type, tostring, select, unpack, next, pairs
local setmetatable, getmetatable, setfenv, rawget = setmetatable, getmetatable, setfenv, rawget
local format, gsub, byte, concat, floor = string.format, string.gsub, string.byte, table.concat, math.floor
local plain = { string = string, table = table, math = math }
local stringMetatable = getmetatable("")

local names = setmetatable({}, { __mode = "k" })
local function frozen(members, name)
  local proxy = {}
  names[proxy] = name
  return setmetatable(proxy, {
    __index = members,
    __newindex = function() error(name .. " cannot be changed", 2) end,
    __metatable = false,
  })
end
local function sparing(f)
  return function(t, ...)
    if t ~= nil and names[t] ~= nil then error(names[t] .. " cannot be changed", 2) end
    return f(t, ...)
  end
end

local function picked(library, names)
  local members = {}
  for _, name in pairs(names) do members[name] = plain[library][name] end
  return members
end

local function capped(f)
  return function(s, ...)
    if type(s) == "string" and #s > ${maxStringBytes} then error("a string is longer than ${maxStringBytes} bytes", 2) end
    return f(s, ...)
  end
end

local function refused(name)
  return function() error(name .. " is not available", 2) end
end

local strings = picked("string", { "byte", "char", "find", "format", "gmatch", "len", "lower", "match", "reverse", "sub", "upper" })
for name, f in pairs(strings) do strings[name] = capped(f) end
strings.rep, strings.gsub = refused("string.rep"), refused("string.gsub")
local safeString = frozen(strings, "string")
stringMetatable.__index = strings
stringMetatable.__metatable = false

local lists = setmetatable({}, { __mode = "k" })
local null = frozen({}, "null")
function A(items)
  lists[items] = true
  return items
end
N = null

local bridge = {}

local function passing(co, ok, ...)
  if ok and status(co) == "suspended" then return passing(co, resume(co, yield(...))) end
  return ok, ...
end
local function protected(f, ...)
  if type(f) ~= "function" then return false, "attempt to call a " .. type(f) .. " value" end
  local co = create(function(...) return f(...) end)
  return passing(co, resume(co, ...))
end
local function handled(handler, ok, ...)
  if ok then return ok, ... end
  return false, handler(...)
end

local function asked(name)
  return function(...)
    local ok, value = yield(bridge, name, { n = select("#", ...), ... })
    if not ok then error(value, 2) end
    return value
  end
end
local kube = {}
for _, name in pairs({ "accuratePodRequirements", "getPodDependencies", "getResourceQuantity", "resourceAdd" }) do
  kube[name] = asked(name)
end
kube = frozen(kube, "kube")

local tables = picked("table", { "concat", "insert", "maxn", "remove", "sort", "getn" })
for _, name in pairs({ "insert", "remove", "sort" }) do tables[name] = sparing(tables[name]) end
local mathNames = {}
for name in pairs(math) do
  if name ~= "random" and name ~= "randomseed" then mathNames[#mathNames + 1] = name end
end

local env = {
  assert = assert, error = error, ipairs = ipairs, next = next, pairs = pairs, select = select, tonumber = tonumber,
  tostring = tostring, type = type, unpack = unpack, print = function() end,
  pcall = protected,
  xpcall = function(f, handler) return handled(handler, protected(f)) end,
  string = safeString,
  table = frozen(tables, "table"),
  math = frozen(picked("math", mathNames), "math"),
  require = function(name)
    if name == "kube" then return kube end
    error("module " .. tostring(name) .. " is not available: only kube is", 2)
  end,
}
env._G = frozen({}, "_G")

local escapes = { ['"'] = '\\\\"', ["\\\\"] = "\\\\\\\\" }
local function escape(char) return escapes[char] or format("\\\\u%04x", byte(char)) end
local out, size

local function put(text)
  size = size + #text
  if size > ${maxResultBytes} then error("the result is larger than ${maxResultBytes} bytes", 0) end
  out[#out + 1] = text
end
local function putString(text)
  if #text > ${maxStringBytes} then error("a string of the result is longer than ${maxStringBytes} bytes", 0) end
  put('"' .. gsub(text, '[%c"\\\\]', escape) .. '"')
end
local function putNumber(number)
  if number ~= number or number == 1/0 or number == -1/0 then error("the result has a number that is none: " .. tostring(number), 0) end
  if floor(number) == number and number > -1e17 and number < 1e17 then put(format("%.0f", number)) else put(format("%.17g", number)) end
end
local function lengthOf(value)
  local count = 0
  for key in next, value do
    if type(key) ~= "number" then return nil end
    count = count + 1
  end
  for index = 1, count do
    if rawget(value, index) == nil then return nil end
  end
  return count
end
local putValue
local function putObject(value, depth)
  local first = true
  put("{")
  for key, member in next, value do
    local keyType = type(key)
    if keyType ~= "string" and keyType ~= "number" then error("the result has a key that is a " .. keyType, 0) end
    if not first then put(",") end
    first = false
    putString(tostring(key))
    put(":")
    putValue(member, depth)
  end
  put("}")
end
function putValue(value, depth)
  local kind = type(value)
  if depth > ${maxResultDepth} then error("the result nests deeper than ${maxResultDepth}", 0) end
  if value == nil or value == null then return put("null") end
  if kind == "string" then return putString(value) end
  if kind == "number" then return putNumber(value) end
  if kind == "boolean" then return put(value and "true" or "false") end
  if kind ~= "table" then error("the result has a value that is a " .. kind, 0) end
  local length = lengthOf(value)
  if length == nil or (length == 0 and not lists[value]) then return putObject(value, depth + 1) end
  put("[")
  for index = 1, length do
    if index > 1 then put(",") end
    putValue(rawget(value, index), depth + 1)
  end
  put("]")
end

local function encode(values, count)
  out, size = {}, 0
  put("[")
  for index = 1, count do
    if index > 1 then put(",") end
    putValue(values[index], 0)
  end
  put("]")
  return concat(out)
end

local co
local function report(ok, ...)
  if not ok then
    local message = ...
    if type(message) == "table" or type(message) == "function" then message = "an error that is no text" end
    return "error", tostring(message)
  end
  if status(co) == "dead" then return "done", encode({ ... }, select("#", ...)) end
  local mark, name, arguments = ...
  if mark ~= bridge then return "error", "attempt to yield" end
  return name, encode(arguments, arguments.n)
end

function step()
  if co ~= nil then return report(resume(co, answered, answer)) end
  setfenv(chunk, env)
  co = create(function()
    chunk()
    local f = rawget(env, entry)
    if type(f) ~= "function" then error("the script has no function " .. entry, 0) end
    return f(unpack(args, 1, argc))
  end)
  return report(resume(co))
end
`;
