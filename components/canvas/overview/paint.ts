import type { OverviewScene, OverviewCard } from './scene';

/**
 * Font sizes and numbers of lines of names, by the size that `nameSizeAtZoom` gives; `NodeCard.module.css` has the
 * same.
 */
const NAME_FONT_SIZES: Record<number, { px: number; lines: number }> = {
  3: { px: 27, lines: 2 },
  4: { px: 40, lines: 1 },
  5: { px: 48, lines: 1 },
  6: { px: 54, lines: 1 },
};
/** The width of the strip in the colour of the category, and the space before the name. */
const CATEGORY_STRIP_WIDTH = 12;
const NAME_INDENT = 18;
const CARD_CORNER_RADIUS = 12;
/** Height of the upper part of a card, which has the name. */
const CARD_HEAD_HEIGHT = 58;

/** A name may be wider than its space by this factor; it is then condensed to fit. */
const MAX_NAME_CONDENSING = 1.2;

/** Limits of the picture: pixels of a side, and in all (64 MB). */
const MAX_PICTURE_SIDE = 8192;
const MAX_PICTURE_PIXELS = 16_000_000;

/** A colour of `tokens.css` by its name without `--weft-`. */
export type ResolveThemeColor = (name: string) => string;

/** Pixels per canvas unit: those of the screen, or fewer if the picture would be too large. */
export function pictureScale({ width, height }: { width: number; height: number }, wanted: number): number {
  return Math.min(wanted, MAX_PICTURE_SIDE / Math.max(width, height), Math.sqrt(MAX_PICTURE_PIXELS / (width * height)));
}

/** Draws a scene at `scale` pixels per canvas unit, with its bounds as the whole picture. */
export function paintOverview(
  context: CanvasRenderingContext2D,
  { bounds, cards, lines }: OverviewScene,
  scale: number,
  nameSize: number,
  colorOf: ResolveThemeColor,
): void {
  context.setTransform(scale, 0, 0, scale, -bounds.x * scale, -bounds.y * scale);
  const lineColors = { idle: 'edge', carried: 'done', active: 'running', error: 'failed' };
  for (const [look, color] of Object.entries(lineColors)) {
    context.beginPath();
    for (const line of lines) {
      if (line.look !== look) continue;
      for (const [from, one, two, to] of line.curves) {
        context.moveTo(from.x, from.y);
        context.bezierCurveTo(one.x, one.y, two.x, two.y, to.x, to.y);
      }
    }
    context.strokeStyle = colorOf(color);
    // At least half a pixel: thinner lines fade.
    context.lineWidth = Math.max(2, 0.6 / scale);
    context.stroke();
  }
  paintOverviewCards(context, cards, colorOf);
  paintCardNames(context, cards, nameSize, colorOf);
}

/** Colours of a card: its background, border and strip. */
function overviewCardColors({ tone, category }: OverviewCard): { fill: string; border: string; strip: string } {
  const strips: Record<string, string> = { trigger: 'done', action: 'running', human: 'waiting', unknown: 'failed' };
  const strip = strips[category] ?? 'idle';
  if (!tone || tone === 'idle') return { fill: 'surface', border: 'line-strong', strip };
  return { fill: `${tone}-soft`, border: tone, strip };
}

function paintOverviewCards(
  context: CanvasRenderingContext2D,
  cards: readonly OverviewCard[],
  colorOf: ResolveThemeColor,
): void {
  for (const card of cards) {
    const { x, y, width, height } = card.box;
    const { fill, border, strip } = overviewCardColors(card);
    context.globalAlpha = card.isDisabled ? 0.55 : 1;
    context.beginPath();
    context.roundRect(x, y, width, height, CARD_CORNER_RADIUS);
    context.fillStyle = colorOf(fill);
    context.fill();
    context.strokeStyle = colorOf(border);
    // A failed node among thousands is seen.
    context.lineWidth = card.tone === 'failed' ? 12 : 2;
    context.stroke();
    context.beginPath();
    context.roundRect(x + 1, y + 1, CATEGORY_STRIP_WIDTH, CARD_HEAD_HEIGHT, [
      CARD_CORNER_RADIUS,
      0,
      0,
      CARD_CORNER_RADIUS,
    ]);
    context.fillStyle = colorOf(strip);
    context.fill();
    if (card.hasIssues) {
      context.beginPath();
      context.arc(x + width - 20, y + CARD_HEAD_HEIGHT / 2, 12, 0, 2 * Math.PI);
      context.fillStyle = colorOf('failed');
      context.fill();
    }
  }
  context.globalAlpha = 1;
}

function paintCardNames(
  context: CanvasRenderingContext2D,
  cards: readonly OverviewCard[],
  nameSize: number,
  colorOf: ResolveThemeColor,
): void {
  const { px, lines } = NAME_FONT_SIZES[Math.max(3, nameSize)] ?? { px: 27, lines: 2 };
  context.font = `600 ${px}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  context.fillStyle = colorOf('ink');
  const measure = measureByCharacter((character) => context.measureText(character).width);
  for (const { box, name, hasIssues, isDisabled } of cards) {
    context.globalAlpha = isDisabled ? 0.55 : 1;
    const width = box.width - NAME_INDENT - (hasIssues ? 40 : 8);
    const texts = wrapCardName(name, width * MAX_NAME_CONDENSING, lines, measure);
    const first = box.y + CARD_HEAD_HEIGHT / 2 - ((texts.length - 1) * px) / 2;
    texts.forEach((text, at) => context.fillText(text, box.x + NAME_INDENT, first + at * px, width));
  }
  context.globalAlpha = 1;
}

/**
 * Measures texts by their characters, each of which is measured once. That is close to the width of the whole text, and
 * thousands of names take a few milliseconds.
 */
function measureByCharacter(measure: (character: string) => number): (text: string) => number {
  const widths = new Map<string, number>();
  const widthOf = (character: string) => {
    const known = widths.get(character);
    if (known !== undefined) return known;
    const width = measure(character);
    widths.set(character, width);
    return width;
  };
  return (text) => {
    let sum = 0;
    for (const character of text) sum += widthOf(character);
    return sum;
  };
}

/** A text in lines of at most `width`, broken after words where possible; an ellipsis stands for what does not fit. */
export function wrapCardName(text: string, width: number, lines: number, measure: (text: string) => number): string[] {
  const found: string[] = [];
  // More characters than this fit into no card.
  let rest = text.slice(0, 80);
  while (rest && found.length < lines) {
    let end = rest.length;
    while (end > 1 && measure(rest.slice(0, end)) > width) end -= Math.max(1, Math.floor(end / 8));
    // Steps of several characters overshoot.
    while (end < rest.length && measure(rest.slice(0, end + 1)) <= width) end += 1;
    const space = rest.lastIndexOf(' ', end);
    const isLast = found.length === lines - 1;
    if (end < rest.length && space > 0 && !isLast) end = space;
    const isCut = isLast && end < rest.length;
    while (isCut && end > 1 && measure(`${rest.slice(0, end)}…`) > width) end -= 1;
    found.push(rest.slice(0, end).trimEnd() + (isCut ? '…' : ''));
    rest = rest.slice(end).trimStart();
  }
  return found;
}
