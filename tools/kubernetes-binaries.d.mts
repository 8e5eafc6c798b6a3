export function kubernetesBinaries(
  environment?: NodeJS.ProcessEnv,
): { readonly folder: string; readonly missing?: never } | { readonly folder?: never; readonly missing: string };
