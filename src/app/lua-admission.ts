import {
  type ResourceInterpreterCustomization,
  ResourceInterpreterCustomizations,
} from "#api/config/resource-interpreter-customization.ts";
import { StatusError } from "#api/meta/status-error.ts";
import type { ReviewPlugin, ReviewRequest } from "#apiserver/admission.ts";
import { namedKind } from "#apiserver/core.ts";
import { invalid } from "#base/field-error.ts";
import { jsonEquals } from "#base/json.ts";
import type { LuaHost } from "#lua/lua-host.ts";

/** Refuses customizations whose scripts are not Lua, with the place of the mistake. No script is run for it. */
export function luaAdmission(lua: Pick<LuaHost, "parse">): ReviewPlugin {
  const { group, kind } = ResourceInterpreterCustomizations;
  return {
    name: "lua",
    validate(request) {
      const { type, subresource, object, old } = request;
      const isWritten = type.group === group && type.kind === kind && subresource === undefined && object !== undefined;
      return isWritten && !jsonEquals(object["spec"], old?.["spec"]) ? refuse(lua, request) : undefined;
    },
  };
}

async function refuse(lua: Pick<LuaHost, "parse">, { type, name, object }: ReviewRequest): Promise<void> {
  const { spec } = object as unknown as ResourceInterpreterCustomization; // the schema has judged it by then
  const errors = await Promise.all(
    Object.entries(spec.customizations).map(async ([operation, script]) => {
      const mistake = script?.luaScript ? await lua.parse(script.luaScript) : undefined;
      const path = `spec.customizations.${operation}.luaScript`;
      return mistake === undefined ? [] : [invalid(path, script.luaScript, `Lua script error: ${mistake}`)];
    }),
  );
  if (errors.flat().length > 0) throw StatusError.invalid(namedKind(type, name), errors.flat());
}
