import {fileURLToPath} from 'node:url';

/** Ink imports its development tools on demand; they are not part of the program. */
const withoutDevelopmentTools = {
	name: 'without-development-tools',
	resolveId: id => (id === 'react-devtools-core' ? '\0empty' : undefined),
	load: id => (id === '\0empty' ? 'export default undefined;' : undefined),
};

/*
Ink takes every text apart into cells and makes texts of them again, and forgets after every frame what it found out about each: that is most of
what a frame costs, though plain lines come out as they went in, and most others stood in the frame before. Its first frame waits for a fetch of
a data: address and for an expression that few texts need. All that is kept or put off here is pure, so it changes the price of an answer and
never the answer.
*/
const segments = fileURLToPath(new URL('../source/tui/text/segments.ts', import.meta.url));
const writtenRows = fileURLToPath(new URL('../source/tui/terminal/written-rows.ts', import.meta.url));
const keptTexts = 250;
const blankCell = `{
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                }`;
/** Each of these makes a segmenter when it is loaded; the first two ask it about every line, though in most of them every sign is plain. */
const segmenting = (file, segmenter) => ({
	file,
	changes: [[/new Intl\.Segmenter\([^)]*\)/u, segmenter]],
	code: `
		import {lazySegmenter, segmentsOf} from ${JSON.stringify(segments)};
	`,
});

const changedFiles = [
	{
		file: 'ink/build/output.js',
		changes: [
			['caches = new OutputCaches();', 'caches = keptCaches();'],
			['characterLines.map(line => styledCharsToString(line))', 'this.caches.getLines(text, characterLines)'],
			['class OutputCaches {', 'class OutputCaches {\n    lines = new Map();\n    getLines = linesOf;'],
			[`row.push(${blankCell})`, 'row.push(blank)'],
			['    get() {', '    get = rowsOf;\n    getByCells() {'],
		],
		code: `
			import {writtenRows} from ${JSON.stringify(writtenRows)};

			function rowsOf() {
				const {rows, rest} = writtenRows(this.operations, this.height);
				if (rest.length === 0) {
					return {output: rows.join('\\n'), height: rows.length};
				}

				this.operations = rest;
				const cells = this.getByCells().output.split('\\n');
				return {output: rows.map((row, index) => row ?? cells[index]).join('\\n'), height: rows.length};
			}

			const blank = Object.freeze(${blankCell});
			let kept = new OutputCaches();
			function keptCaches() {
				if (kept.styledChars.size > ${keptTexts}) {
					kept = new OutputCaches();
				}

				return kept;
			}

			function linesOf(text, characterLines) {
				let lines = this.lines.get(text);
				if (!lines) {
					lines = characterLines.map(line => styledCharsToString(line));
					this.lines.set(text, lines);
				}

				return lines;
			}
		`,
	},
	{
		// Plain texts, with no other escapes than styles, stay as they are.
		file: 'ink/build/sanitize-ansi.js',
		changes: [['export default sanitizeAnsi;', 'export default keptSanitizeAnsi;']],
		code: `
			import {isPlain} from ${JSON.stringify(segments)};

			const harmless = /\\n|\\u001B\\[\\d+m/g;
			const kept = new Map();
			function keptSanitizeAnsi(text) {
				let answer = kept.get(text);
				if (answer === undefined) {
					if (kept.size > ${keptTexts}) {
						kept.clear();
					}

					answer = isHarmless(text) ? text : sanitizeAnsi(text);
					kept.set(text, answer);
				}

				return answer;
			}

			function isHarmless(text) {
				const rest = text.replaceAll(harmless, '');
				return isPlain(rest) && !rest.includes('\\u001B');
			}
		`,
	},
	{
		file: 'ink/build/render-node-to-output.js',
		changes: [['const currentWidth = widestLine(text);', 'const currentWidth = measureText(text).width;']],
		code: `
			import measureText from './measure-text.js';
		`,
	},
	{
		// A text may be a screen: of those, four thousand are not worth their memory.
		file: 'ink/build/measure-text.js',
		changes: [['maxSize: 4096', `maxSize: ${keptTexts}`]],
		code: '',
	},
	{
		// The layout engine lies in its file as a data: address. A fetch of that takes longer than all the rest of loading Ink.
		file: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
		changes: [['"function"!=typeof fetch?Promise.resolve()', 'true?Promise.resolve()']],
		code: '',
	},
	{
		// Its expressions take thirty milliseconds to make; the texts of a quiet dashboard are measured without them.
		file: 'node_modules/string-width/index.js',
		changes: [
			[
				'const segmenter = new Intl.Segmenter();',
				'function makeStringWidth() {\nconst segmenter = new Intl.Segmenter();',
			],
			['export default function stringWidth(', 'return function stringWidth('],
		],
		code: `
			}

			let stringWidth;
			export default function lateStringWidth(...parameters) {
				stringWidth ??= makeStringWidth();
				return stringWidth(...parameters);
			}
		`,
	},
	segmenting('@alcalzone/ansi-tokenize/build/tokenize.js', '{segment: segmentsOf}'),
	{
		// Where each sign is a cell of its own, places in the text are places on the screen.
		file: 'ink/build/line-update.js',
		changes: [
			[/new Intl\.Segmenter\([^)]*\)/u, 'lazySegmenter'],
			[/const printableAscii = .*;/u, 'const printableAscii = {test: isPlain};'],
		],
		code: `
			import {isPlain, lazySegmenter} from ${JSON.stringify(segments)};
		`,
	},
	segmenting('slice-ansi/tokenize-ansi.js', 'lazySegmenter'),
	segmenting('node_modules/wrap-ansi/index.js', 'lazySegmenter'),
];

const knownWidth = fileURLToPath(new URL('../source/tui/text/known-width.ts', import.meta.url));

const withCheaperFrames = {
	name: 'with-cheaper-frames',
	// Ink, its libraries and the window then also agree on how wide a text is.
	resolveId: (id, importer) => (id === 'string-width' && importer !== knownWidth ? knownWidth : undefined),
	transform(text, path) {
		const place = changedFiles.find(({file}) => path.endsWith(file));
		if (!place) {
			return undefined;
		}

		return place.changes.reduce((changed, [from, to]) => {
			const next = changed.replace(from, to);
			if (next === changed) {
				throw new Error(`${place.file} is not as ink-plugins.js knows it; look what has changed in it`);
			}

			return next;
		}, text + place.code);
	},
};

/** What every bundle needs that has Ink in it. */
export const inkPlugins = [withoutDevelopmentTools, withCheaperFrames];
