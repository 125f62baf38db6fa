import {type IBufferCell, type Terminal} from '@xterm/headless';

/*
A frame of a terminal as an SVG picture: what the program drew, cell by cell, in the sixteen colours of a common dark terminal.
*/

const cell = {width: 8.4, height: 18} as const;
const margin = 12;
const background = '#16181d';
const foreground = '#d6d9df';
const palette = [
	'#3b3f46',
	'#e0626b',
	'#7fc77b',
	'#dfb860',
	'#6aa5e8',
	'#c58be0',
	'#5fc4cf',
	'#d6d9df',
	'#737a85',
	'#f08a90',
	'#a2e09e',
	'#f2d38a',
	'#97c3f5',
	'#dcb2f0',
	'#93dfe8',
	'#ffffff',
] as const;

type Style = {
	readonly color: string;
	readonly back: string;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly underline: boolean;
};

/** Neighbouring cells that look alike. */
type Run = {readonly column: number; readonly width: number; readonly text: string; readonly style: Style};

/** The visible rows of a terminal as a picture. */
export function frameSvg(terminal: Terminal): string {
	const {cols, rows} = terminal;
	const width = Math.ceil(cols * cell.width + 2 * margin);
	const height = Math.ceil(rows * cell.height + 2 * margin);
	const body = Array.from({length: rows}, (_, row) => runsOf(terminal, row).map(run => runSvg(run, row))).flat();
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
		`<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
		...body,
		'</g>',
		'</svg>',
		'',
	].join('\n');
}

function runsOf(terminal: Terminal, row: number): readonly Run[] {
	const {active} = terminal.buffer;
	const line = active.getLine(active.viewportY + row);
	const runs: Run[] = [];
	for (let column = 0; column < terminal.cols; column++) {
		const found = line?.getCell(column);
		if (!found || found.getWidth() === 0) {
			continue;
		}

		const style = styleOf(found);
		const text = found.getChars() || ' ';
		const last = runs.at(-1);
		if (last && JSON.stringify(last.style) === JSON.stringify(style)) {
			runs[runs.length - 1] = {...last, width: last.width + found.getWidth(), text: last.text + text};
		} else {
			runs.push({column, width: found.getWidth(), text, style});
		}
	}

	return runs;
}

function styleOf(found: IBufferCell): Style {
	const color = colorOf(found.isFgDefault(), found.getFgColor(), foreground);
	const back = colorOf(found.isBgDefault(), found.getBgColor(), background);
	const [ink, paper] = found.isInverse() ? [back, color] : [color, back];
	return {
		color: ink,
		back: paper,
		bold: found.isBold() !== 0,
		dim: found.isDim() !== 0,
		underline: found.isUnderline() !== 0,
	};
}

function colorOf(isDefault: boolean, index: number, fallback: string): string {
	return isDefault ? fallback : (palette[index] ?? fallback);
}

function runSvg({column, width, text, style}: Run, row: number): string {
	const x = (margin + column * cell.width).toFixed(1);
	const y = margin + row * cell.height;
	const length = (width * cell.width).toFixed(1);
	const paper =
		style.back === background
			? ''
			: `<rect x="${x}" y="${y}" width="${length}" height="${cell.height}" fill="${style.back}"/>`;
	if (text.trim() === '') {
		return paper;
	}

	const looks = [
		`fill="${style.color}"`,
		style.bold ? 'font-weight="bold"' : '',
		style.dim ? 'opacity="0.6"' : '',
		style.underline ? 'text-decoration="underline"' : '',
	];
	return `${paper}<text x="${x}" y="${(y + cell.height * 0.75).toFixed(1)}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${looks.filter(look => look !== '').join(' ')}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
