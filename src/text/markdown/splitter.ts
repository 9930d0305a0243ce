import type {Block} from './style.ts';
import {closingFence} from './fences.ts';
import {nothing, effectOfLine, type OpenBlock} from './open-block.ts';

/** Number of finished lines of an open code block per piece. */
const CODE_LINES = 20;
/** Length in UTF-16 units at which an open block is split into pieces. */
const PIECE = 8192;
/** Maximum length to wait for a good place to split. */
const LONG = 4 * PIECE;
/** Length of preceding code kept for highlighting a piece. */
const CODE_CONTEXT = 2048;
/** The beginning of a line that may become a fence. */
const MAYBE_FENCE = /^ *(?:(?:[*+-]|\d{1,9}[.)]) +)*(?:`{0,2}$|`{3,}[^`]*$|~{1,2}$|~{3,})/;
/** The beginning of a line with items, of which the last one may begin with a fence. */
const BULLETS = /^ *(?:(?:[*+-]|\d{1,9}[.)]) +)+/;

/**
 * Splits a streaming Markdown message into finished blocks, at the points where marked's lexer would end a block whatever follows. The cost of a chunk depends
 * on the chunk and the (bounded) tail, not on the message.
 * The blocks, each lexed separately with its context, yield the tokens of the whole message, except for links before their definition, and blocks over 8192
 * units, whose rest is split at items, rows and lines. A block shows its definitions if a link before it lacks them, or if it is not certain which they are.
 *
 * `whole` is the message, if it is complete: its links know later definitions, too.
 */
export function createBlockSplitter(whole = '') {
  const state = createState();
  if (whole.includes(']:')) state.definitions = definitionsIn(whole);
  return {
    /** Adds the next chunk of the message; returns the blocks that it finished. */
    push(chunk: string) {
      const seen = state.partial.length;
      const text = state.partial + chunk;
      let start = 0;
      for (let end = text.indexOf('\n', seen); end !== -1; end = text.indexOf('\n', start)) {
        takeLine(state, text.slice(start, end + 1));
        start = end + 1;
      }
      state.partial = text.slice(start);
      while (state.partial.length > PIECE) takeFragment(state);
      return takeBlocks(state);
    },
    /** The unfinished source; bounded. */
    get tail() {
      return state.source + state.partial;
    },
    /** The unfinished source as a block, for drawing; undefined if it is blank. */
    get tailBlock(): Block | undefined {
      const source = state.source + state.partial;
      return source.trim() === '' ? undefined : blockOf(state, source, {last: true});
    },
    /** Returns what there is as blocks, since something else is to follow it. Code goes on after that, other text as another block. */
    cut() {
      // Whether a line is a fence is known at its end.
      const waits = !state.inLine && MAYBE_FENCE.test(state.partial);
      const isInLine = !waits && (state.inLine || state.partial !== '');
      if (!waits) takePartial(state);
      if (state.open.kind === 'fence') give(state);
      else finishBesideCode(state);
      state.inLine = isInLine && state.open !== nothing;
      return takeBlocks(state);
    },
    /** Ends the message; returns the remaining blocks. */
    end() {
      takePartial(state);
      finish(state);
      return takeBlocks(state);
    },
  };
}

function createState(): State {
  return {
    open: nothing,
    source: '',
    hasText: false,
    partial: '',
    inLine: false,
    afterBlank: false,
    lines: 0,
    pieces: 0,
    plain: false,
    code: '',
    definitions: createDefinitions(),
    isLate: false,
    finished: [],
  };
}

function definitionsIn(source: string): Definitions {
  const state = createState();
  for (const line of source.split('\n')) takeLine(state, `${line}\n`);
  return state.definitions;
}

interface State {
  open: OpenBlock;
  /** Complete lines that are not in a block yet. */
  source: string;
  /** False while `source` is blank. */
  hasText: boolean;
  /** The incomplete last line. */
  partial: string;
  /** True if the start of that line is already in `source`, or was emitted. */
  inLine: boolean;
  afterBlank: boolean;
  /** Number of lines in `source`, for code only. */
  lines: number;
  /** Number of emitted pieces of the open block. */
  pieces: number;
  /** True if the last split was in the middle of something, so that the rest is not valid Markdown. */
  plain: boolean;
  /** The end of the emitted code. */
  code: string;
  definitions: Definitions;
  /** True if the open block defines what an emitted one refers to. */
  isLate: boolean;
  finished: Block[];
}

function takeBlocks(state: State): Block[] {
  const {finished} = state;
  state.finished = [];
  return finished;
}

function takePartial(state: State): void {
  if (state.partial !== '') takeLine(state, state.partial);
  state.partial = '';
}

function takeLine(state: State, raw: string): void {
  if (state.inLine) {
    state.inLine = false;
    state.source += raw;
    cutLong(state);
    return;
  }
  const line = raw.endsWith('\n') ? raw.slice(0, -1) : raw;
  const {open, endsBefore, cuttable} = effectOfLine(state.open, line, state.afterBlank);
  if (endsBefore) finish(state);
  if (cuttable && state.source.length >= PIECE) {
    give(state);
    state.plain = false;
  }
  state.source += raw;
  state.lines++;
  state.afterBlank = line.trim() === '';
  if (!state.afterBlank) state.hasText = true;
  if (open === nothing) {
    finish(state);
    return;
  }
  state.open = open;
  if (open.kind === 'text' && open.isDefinition && state.definitions.add(line)) state.isLate = true;
  cutLong(state);
}

/** Splits an overlong incomplete line at a space. */
function takeFragment(state: State): void {
  const space = state.partial.lastIndexOf(' ', PIECE - 1) + 1;
  const high = /[\ud800-\udbff]/.test(state.partial.charAt(PIECE - 1));
  const end = space > PIECE / 2 ? space : PIECE - (high ? 1 : 0);
  const fragment = state.partial.slice(0, end);
  state.partial = state.partial.slice(end);
  if (state.inLine) state.source += fragment;
  else takeLine(state, fragment);
  state.inLine = true;
  if (state.open === nothing) state.open = effectOfLine(nothing, 'x', false).open;
  cutHere(state);
}

/** Emits the finished part of a long open block. */
function cutLong(state: State): void {
  const {open, lines, source} = state;
  if (open.kind === 'fence') {
    if (lines >= CODE_LINES || source.length >= PIECE) give(state);
    return;
  }
  const text = open.kind === 'inner' ? open.within : open;
  if (source.length >= (text.kind === 'text' && text.parts ? LONG : PIECE)) cutHere(state);
}

function cutHere(state: State): void {
  give(state);
  state.plain = true;
}

/** Emits the source as a piece of the open block. */
function give(state: State): void {
  if (state.source === '') return;
  state.finished.push(emitted(state, {last: false}));
  if (state.open.kind === 'fence') state.code = codeContext(state.open.opening, state.code, state.source);
  state.pieces++;
  state.source = '';
  state.lines = 0;
}

/** Ends the open block. Blank lines alone are kept for the next one, up to a limit. */
function finish(state: State): void {
  if (state.hasText || state.pieces > 0 || state.source.length >= PIECE) {
    if (state.source !== '') state.finished.push(emitted(state, {last: true}));
    state.source = '';
    state.hasText = false;
  }
  state.open = nothing;
  state.lines = 0;
  state.pieces = 0;
  state.plain = false;
  state.code = '';
  state.isLate = false;
}

/** Ends the open block, except for code in a list, which stays open. */
function finishBesideCode(state: State): void {
  const code = openCodeIn(state);
  finish(state);
  if (code) Object.assign(state, {pieces: 1, ...code});
}

function openCodeIn({open, source}: State): Pick<State, 'open' | 'code'> | undefined {
  const text = open.kind === 'inner' ? open.within : open;
  const isInList = text.kind === 'text' && (text.content ?? 0) > 0;
  let [opening, close, start, end] = ['', closingFence(''), 0, 0];
  for (const line of source.split('\n')) {
    end += line.length + 1;
    if (close?.test(line)) close = undefined;
    else if (!close) {
      opening = isInList ? line.replace(BULLETS, (bullets) => ' '.repeat(bullets.length)) : line;
      [close, start] = [closingFence(opening, isInList), end];
    }
  }
  if (!close) return undefined;
  const code = codeContext(opening, '', `${opening}\n${source.slice(start)}`);
  return {open: {kind: 'fence', close, opening}, code};
}

function emitted(state: State, end: {last: boolean}): Block {
  const {open, source, definitions} = state;
  const block = blockOf(state, source, end);
  if (open.kind !== 'fence') definitions.await(source);
  return block;
}

function blockOf(state: State, source: string, {last}: {last: boolean}): Block {
  const {open, pieces} = state;
  const first = pieces === 0;
  if (open.kind === 'fence' && !(first && last))
    return {kind: 'code', source, first, last, context: state.code};
  const head = open.kind === 'text' && !first ? open.head : '';
  const showsDefinitions = state.isLate || state.definitions.areUnknownIn(source);
  const context = state.definitions.usedIn(source, showsDefinitions) + head;
  const kind = state.plain ? 'text' : 'markdown';
  return {kind, source, first, last, context, ...(showsDefinitions && {showsDefinitions})};
}

/** Returns the opening fence, and the end of the code so far, from the start of a line. */
function codeContext(opening: string, before: string, source: string): string {
  const all = (before === '' ? source : before + source).slice(-CODE_CONTEXT);
  const start = all.indexOf(`${opening}\n`);
  const code = all.slice(start === -1 ? all.indexOf('\n') + 1 : start + opening.length + 1);
  // What follows begins a row, also in the middle of a line.
  return `${opening}\n${code}${code === '' || code.endsWith('\n') ? '' : '\n'}`;
}

/** A complete definition according to marked: a line with more after its URL is text, and would be repeated before each block that refers to it. */
const WHOLE =
  /^ {0,3}\[(?:\\.|[^[\]\\])+\]:[ \t]*(?:<[^<>]*>|[^<\s]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** Limits the cost of endless definitions. */
const MAX_DEFINITIONS = 2000;
const LABELS = /\\.|\[((?:\\.|[^[\]\\])+)\]/g;
/** What may be a definition; `[//]: # (…)` is how comments are written. */
const DEFINED = /(?:^|[\s>])\[(?!\^|\/\/\])((?:\\.|[^[\]\\])+)\]:/g;
/** The length of all definitions that a block gets: what is longer is not a link. */
const MAX_USED = 32_768;

type Definitions = ReturnType<typeof createDefinitions>;

/** The link definitions of a message, for the blocks after them. The first definition of a label counts. */
function createDefinitions() {
  const lines = new Map<string, string>();
  /** The labels in emitted blocks that have no definition yet. */
  const awaited = new Set<string>();
  return {
    /** Adds a line that is a link definition; returns true if an emitted block lacks it. */
    add(line: string): boolean {
      if (!WHOLE.test(line)) return false;
      const key = normalize(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
      if (!lines.has(key) && lines.size < MAX_DEFINITIONS) lines.set(key, `${line}\n`);
      return awaited.delete(key);
    },
    /** Notes the labels in an emitted source. */
    await(source: string) {
      for (const [, label = ''] of source.matchAll(LABELS)) {
        const key = normalize(label);
        if (key !== '' && !lines.has(key) && awaited.size < MAX_DEFINITIONS) awaited.add(key);
      }
    },
    /** True if a source may define links at a place where this is not known: in a list, in a quote, over two lines. */
    areUnknownIn(source: string): boolean {
      const labels = source.includes(']:')
        ? Array.from(source.matchAll(DEFINED), ([, label = '']) => label)
        : [];
      return labels.some((label) => !lines.has(normalize(label)));
    },
    /** Returns the definitions that a source refers to, as Markdown; without those in it if they are shown there. */
    usedIn(source: string, isShown: boolean) {
      if (lines.size === 0) return '';
      const used = new Set<string>();
      let room = MAX_USED;
      for (const [, label = ''] of source.matchAll(LABELS)) {
        const line = lines.get(normalize(label));
        if (line === undefined || used.has(line) || line.length > room) continue;
        if (isShown && source.includes(line.trimEnd())) continue;
        used.add(line);
        room -= line.length;
      }
      // The blank line prevents the source from being parsed as a title.
      return used.size === 0 ? '' : `${[...used].join('')}\n`;
    },
  };
}

function normalize(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}
