import {fileURLToPath} from 'node:url';

/** Ink imports its development tools on demand; they are not part of the program. */
const withoutDevelopmentTools = {
	name: 'without-development-tools',
	resolveId: id => (id === 'react-devtools-core' ? '\0empty' : undefined),
	load: id => (id === '\0empty' ? 'export default undefined;' : undefined),
};

/*
Ink forgets after every frame what it found out about each text, though most lines of a frame stood in the one before: that is a third of
what a frame costs. These places of Ink keep their answers, as many as some hundred screens have lines. All of them are pure.
*/
const keptTexts = 4096;
const blankCell = `{
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                }`;
const keptAnswers = [
	{
		file: 'ink/build/output.js',
		changes: [
			['caches = new OutputCaches();', 'caches = keptCaches();'],
			['characterLines.map(line => styledCharsToString(line))', 'this.caches.getLines(text, characterLines)'],
			['class OutputCaches {', 'class OutputCaches {\n    lines = new Map();\n    getLines = linesOf;'],
			[`row.push(${blankCell})`, 'row.push(blank)'],
		],
		code: `
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
		file: 'ink/build/sanitize-ansi.js',
		changes: [['export default sanitizeAnsi;', 'export default keptSanitizeAnsi;']],
		code: `
			const kept = new Map();
			function keptSanitizeAnsi(text) {
				let answer = kept.get(text);
				if (answer === undefined) {
					if (kept.size > ${keptTexts}) {
						kept.clear();
					}

					answer = sanitizeAnsi(text);
					kept.set(text, answer);
				}

				return answer;
			}
		`,
	},
];

const knownWidth = fileURLToPath(new URL('source/tui/known-width.ts', import.meta.url));

const withKeptAnswers = {
	name: 'with-kept-answers',
	// Ink, its libraries and the window then also agree on how wide a text is.
	resolveId: (id, importer) => (id === 'string-width' && importer !== knownWidth ? knownWidth : undefined),
	transform(text, path) {
		const place = keptAnswers.find(({file}) => path.endsWith(file));
		if (!place) {
			return undefined;
		}

		return place.changes.reduce((changed, [from, to]) => {
			if (!changed.includes(from)) {
				throw new Error(`${place.file} is not as ink-plugins.js knows it; look what has changed in Ink`);
			}

			return changed.replace(from, to);
		}, text + place.code);
	},
};

/** What every bundle needs that has Ink in it. */
export const inkPlugins = [withoutDevelopmentTools, withKeptAnswers];
