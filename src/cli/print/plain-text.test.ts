import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

const esc = "\u001b";
const csi = "\u009b";
const payloads: readonly (readonly [string, string, string])[] = [
  ["the screen is cleared", `a${esc}[2Jb`, "ab"],
  ["the cursor goes home", `a${esc}[Hb`, "ab"],
  ["the cursor goes up and overwrites", `a${esc}[3A${esc}[2Kb`, "ab"],
  ["a colour that never ends", `a${esc}[31mb`, "ab"],
  ["many colours at once", `a${esc}[38;2;255;0;0;48;5;1mb`, "ab"],
  ["hidden text", `a${esc}[8mb${esc}[28m`, "ab"],
  ["the title of the window", `a${esc}]0;title\u0007b`, "ab"],
  ["the title, ended otherwise", `a${esc}]2;title${esc}\\b`, "ab"],
  ["a link that leads elsewhere", `${esc}]8;;http://evil${esc}\\ab${esc}]8;;${esc}\\`, "ab"],
  ["the clipboard", `a${esc}]52;c;cm0gLXJm\u0007b`, "ab"],
  ["a string for the terminal that never ends", `ab${esc}]0;rest of the table`, "ab"],
  ["a device control string", `a${esc}Pq#0;2;0;0;0${esc}\\b`, "ab"],
  ["an application command", `a${esc}_Gf=24;AAAA${esc}\\b`, "ab"],
  ["a privacy message", `a${esc}^x${esc}\\b`, "ab"],
  ["a question to the terminal", `a${esc}[6nb`, "ab"],
  ["who are you", `a${esc}[cb`, "ab"],
  ["the other screen", `a${esc}[?1049hb`, "ab"],
  ["a mouse that reports", `a${esc}[?1003hb`, "ab"],
  ["a full reset", `a${esc}cb`, "ab"],
  ["another character set", `a${esc}(0b`, "ab"],
  ["commands of eight bits", `a${csi}2Jb`, "ab"],
  ["strings of eight bits", "a\u009d0;title\u009cb", "ab"],
  ["a bell", "a\u0007b", "ab"],
  ["steps back", "ax\u0008b", "axb"],
  ["a return to the start of the line", "a\rb", "a b"],
  ["a line of its own", "a\nNAME   READY\nb", "a NAME   READY b"],
  ["a line by another name", "a\u0085b\u2028c", "a b c"],
  ["text turned around", "a\u202eb", "ab"],
  ["text turned around in a box", "a\u2066b\u2069", "ab"],
  ["letters nobody sees", "a\u200bb\ufeff", "ab"],
  ["half a letter", "a\ud800b", "ab"],
  ["letters of nobody", "a\ue000b", "ab"],
  ["nothing", "a\u0000b", "ab"],
  ["a command cut off", `ab${esc}[`, "ab"],
  ["a command inside a command", `a${esc}[${esc}[2Jb`, "ab"],
];

for (const [name, given, expected] of payloads)
  test(`SEC-41: ${name} does not reach the terminal`, () => expect(plainText(given)).toBe(expected));

test("what people write stays", () => {
  for (const text of ["nginx:1.27", "Größe – 漢字 – 👍", "a  b", "[31m", "100%"]) expect(plainText(text)).toBe(text);
});
