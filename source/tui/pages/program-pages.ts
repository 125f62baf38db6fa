import {shellWord} from '../../util/named-commands.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {labelled} from '../lists/list-row.ts';
import {type CommandMode, type EditMode} from '../state/mode.ts';
import {type Line, ruleLine, span} from '../text/span.ts';
import {splitAtWidth, wrapToWidth} from '../text/text-width.ts';
import {type Tone} from '../../state/entities/status-text.ts';

/** The page of an edited entry: its errors, or its difference. */
export function editLines({edit}: EditMode, width: number): readonly Line[] {
	switch (edit.kind) {
		case 'busy':
			return [[span(uiText` the editor is open …`, 'dim')]];
		case 'broken':
			return [
				...paragraph('This text has errors. Nothing was written.', width, 'busy'),
				[],
				...edit.errors.flatMap(error => paragraph(error, width, 'bad')),
			];
		case 'unwritten':
			return [...paragraph(edit.reason, width, 'bad'), ...labelled('your text', edit.path, width)];
		case 'valid':
			return [
				...edit.notes.flatMap(note => paragraph(note, width, 'busy')),
				...(edit.notes.length > 0 ? [ruleLine('difference', width)] : []),
				...edit.difference
					.replace(/\n$/u, '')
					.split('\n')
					.flatMap(line => exact(line, width, toneOf(line))),
			];
	}
}

/** `Entry of server files`; the others have names that say nothing. */
export function editTitle({entry: {kind, name}}: EditMode): string {
	return kind === 'rule' || kind === 'job' ? `Entry of a ${kind}` : `Entry of ${kind} ${name}`;
}

/** The page of a command: its words, its end, and what it printed. */
export function commandLines({command, end}: CommandMode, width: number): readonly Line[] {
	const words = labelled('command', command.map(shellWord).join(' '), width);
	return end
		? [
				...words,
				...labelled('outcome', end.words, width),
				...section('output', end.output, width),
				...section('errors', end.errors, width),
			]
		: [...words, ...labelled('outcome', 'it is running', width)];
}

function section(title: string, text: string, width: number): readonly Line[] {
	return text === ''
		? []
		: [
				ruleLine(title, width),
				...text
					.replace(/\n$/u, '')
					.split('\n')
					.flatMap(line => exact(line, width, 'normal')),
			];
}

function paragraph(text: string, width: number, tone: Tone): readonly Line[] {
	return wrapToWidth(text, width - 2).map((part): Line => [span(` ${part}`, tone)]);
}

function exact(text: string, width: number, tone: Tone): readonly Line[] {
	return splitAtWidth(text, width - 2).map((part): Line => [span(` ${part}`, tone)]);
}

function toneOf(line: string): Tone {
	return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'normal';
}
