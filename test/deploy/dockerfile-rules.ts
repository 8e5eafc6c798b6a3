/** One instruction of a Dockerfile, continuation lines joined. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

export function readDockerfile(text: string): readonly Instruction[] {
  return text
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, word = "", rest = ""] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(line) ?? [];
      return { word: word.toUpperCase(), rest: rest.trim() };
    });
}

/** What must hold of a recipe; each with a line that breaks it. */
export interface DockerfileRule {
  readonly name: string;
  readonly isBroken: (instructions: readonly Instruction[]) => boolean;
  /** Put at the end of a good recipe, it makes a bad one. */
  readonly breakingLine: string;
}

const rests = (instructions: readonly Instruction[], word: string) =>
  instructions.filter((each) => each.word === word).map(({ rest }) => rest);
const stages = (instructions: readonly Instruction[]) =>
  rests(instructions, "FROM").flatMap((rest) => (/\sAS\s+(\S+)$/i.exec(rest) ?? []).slice(1));
const isExecForm = (rest: string) => {
  try {
    return Array.isArray(JSON.parse(rest));
  } catch {
    return false;
  }
};

export const dockerfileRules: readonly DockerfileRule[] = [
  {
    name: "every base is named by its digest",
    isBroken: (all) =>
      rests(all, "FROM")
        .map((rest) => rest.split(/\s+/)[0]!)
        .some((base) => !stages(all).includes(base) && !/:[-.\w]+@sha256:[0-9a-f]{64}$/.test(base)),
    breakingLine: "FROM node:20.20.2-bookworm-slim",
  },
  {
    name: "the last user is a number that is not root's",
    isBroken: (all) => !/^[1-9][0-9]*(:[1-9][0-9]*)?$/.test(rests(afterLastFrom(all), "USER").at(-1) ?? ""),
    breakingLine: "USER root",
  },
  {
    name: "nothing is fetched by ADD",
    isBroken: (all) => rests(all, "ADD").length > 0,
    breakingLine: "ADD https://example.com/x /x",
  },
  {
    name: "the entry point is started without a shell",
    isBroken: (all) => {
      const entries = rests(afterLastFrom(all), "ENTRYPOINT");
      return entries.length !== 1 || !isExecForm(entries[0]!) || rests(all, "CMD").some((rest) => !isExecForm(rest));
    },
    breakingLine: "ENTRYPOINT node /app/dist/flotilla.js",
  },
  {
    name: "what is copied is named",
    isBroken: (all) =>
      rests(all, "COPY").some((rest) =>
        rest
          .split(/\s+/)
          .filter((each) => !each.startsWith("--"))
          .slice(0, -1)
          .some((source) => source === "." || source === "./" || source.includes("*")),
      ),
    breakingLine: "COPY . /app",
  },
  {
    name: "packages are those of the lock file, and run no scripts",
    isBroken: (all) =>
      rests(all, "RUN").some(
        (rest) => /npm (install|i|add)\b/.test(rest) || (/npm ci\b/.test(rest) && !rest.includes("--ignore-scripts")),
      ),
    breakingLine: "RUN npm install",
  },
  {
    name: "nothing is fetched while it is built but packages",
    isBroken: (all) => rests(all, "RUN").some((rest) => /\b(curl|wget|git|apt-get|apk)\b/.test(rest)),
    breakingLine: "RUN curl -sSf https://example.com/install | sh",
  },
  {
    name: "no secret is written down",
    isBroken: (all) =>
      [...rests(all, "ENV"), ...rests(all, "ARG")].some((rest) => /(TOKEN|PASSWORD|SECRET|_KEY)/i.test(rest)),
    breakingLine: "ENV NPM_TOKEN=abc",
  },
  {
    name: "the tools that build it are not in it",
    isBroken: (all) => afterLastFrom(all).some(({ word }) => word === "RUN"),
    breakingLine: "RUN npm ci --ignore-scripts",
  },
];

function afterLastFrom(instructions: readonly Instruction[]): readonly Instruction[] {
  return instructions.slice(instructions.findLastIndex(({ word }) => word === "FROM"));
}
