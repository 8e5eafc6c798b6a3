/** What is drawn: lines over a logarithmic x, from zero on y. */
export interface Plot {
  readonly title: string;
  /** A smaller line below it: on what it was measured. */
  readonly note: string;
  readonly x: string;
  readonly y: string;
  readonly lines: ReadonlyMap<string, readonly Point[]>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const width = 820;
const height = 400;
const margin = { left: 60, right: 340, top: 62, bottom: 50 };
const colours = ["#1b6ca8", "#d1495b", "#2e933c", "#8f5db7", "#e28413", "#11a3a3", "#8c564b", "#5a5a5a"];

/** Draws lines as an SVG image that needs nothing else. */
export function renderPlot({ title, note, x, y, lines }: Plot): string {
  const points = [...lines.values()].flat();
  const scale = scaleOf(points);
  const marks = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const steps = [0, 0.25, 0.5, 0.75, 1].map((part) => part * scale.maxY);
  const drawn = [...lines].map(([name, line], index) => drawLine({ name, line, index, scale }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin.left}" y="24" font-size="16">${title}</text>`,
    `<text x="${margin.left}" y="42" font-size="11" fill="#666">${note}</text>`,
    ...steps.map((value) => {
      const at = scale.y(value).toFixed(1);
      return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${margin.left - 8}" y="${at}" text-anchor="end" dy="4">${scale.print(value)}</text>`;
    }),
    ...marks.map(
      (value) =>
        `<text x="${scale.x(value).toFixed(1)}" y="${height - margin.bottom + 18}" text-anchor="middle">${value.toLocaleString("en")}</text>`,
    ),
    `<text x="${(margin.left + width - margin.right) / 2}" y="${height - 10}" text-anchor="middle">${x}</text>`,
    `<text x="14" y="${height / 2}" transform="rotate(-90 14 ${height / 2})" text-anchor="middle">${y}</text>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

interface Scale {
  readonly maxY: number;
  /** A height with as many digits as tell it from its neighbours. */
  readonly print: (value: number) => string;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

function scaleOf(points: readonly Point[]): Scale {
  const logs = points.map(({ x }) => Math.log10(Math.max(1, x)));
  const [from, to] = [Math.min(...logs), Math.max(...logs)];
  const maxY = Math.max(...points.map(({ y }) => y)) * 1.2;
  const [inner, tall] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  return {
    maxY,
    print: (value) => value.toFixed(maxY < 20 ? 1 : 0),
    x: (value) => margin.left + (to === from ? 0.5 : (Math.log10(Math.max(1, value)) - from) / (to - from)) * inner,
    y: (value) => height - margin.bottom - (value / maxY) * tall,
  };
}

interface Drawn {
  readonly name: string;
  readonly line: readonly Point[];
  readonly index: number;
  readonly scale: Scale;
}

function drawLine({ name, line, index, scale }: Drawn): string {
  const colour = colours[index % colours.length];
  const path = line.map(({ x, y }) => `${scale.x(x).toFixed(1)},${scale.y(y).toFixed(1)}`);
  const dots = path.map((at) => {
    const [cx, cy] = at.split(",");
    return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
  });
  const at = margin.top + 20 * index;
  const ends = [line[0], line.at(-1)].map((point) => scale.print(point?.y ?? 0));
  return [
    `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...dots,
    `<rect x="${width - margin.right + 16}" y="${at - 9}" width="10" height="10" fill="${colour}"/>`,
    `<text x="${width - margin.right + 32}" y="${at}">${name}: ${ends.join(" to ")}</text>`,
  ].join("\n");
}
