import {type AskedUrl} from '../../state/person-event.ts';
import {type QuestionAnswer} from '../../state/person-answers.ts';
import {askedFromText} from '../../state/origin.ts';
import {type QuestionRow} from '../../state/snapshot.ts';
import {fieldBounds, fieldValue, readForm} from '../../tui/state/form-values.ts';
import {type AnyField, openForm, optionsOf, withEntry} from '../../tui/state/form.ts';
import {type ScreenReaderDialog, type FieldByFieldForm, type ScreenReaderStep} from './screen-reader-step.ts';
import {shownName} from '../../util/safe-text.ts';

type QuestionDialog = Extract<ScreenReaderDialog, {kind: 'question'}>;

const startChoices = [
	'1 decline to answer',
	'2 cancel without deciding',
	'3 answer',
	'Type a number and press Enter.',
] as const;
const urlChoices = [
	'1 decline to open it',
	'2 cancel without deciding',
	'3 accept, and open it in a browser here',
	'4 accept, and open it yourself',
	'Type a number and press Enter.',
] as const;
const endChoices = ['1 decline to answer', '2 start over', '3 send', 'Type a number and press Enter.'] as const;

/** The form of a question, before its first field. */
export function openFieldByFieldForm(request: QuestionRow): FieldByFieldForm {
	return {form: openForm({kind: 'question', id: request.id, url: request.url}, request.fields), at: 'start'};
}

/** A question to be read out, then the numbered answers. */
export function questionLines(request: QuestionRow): readonly string[] {
	return [
		`Question from ${request.asker}, through ${askedFromText(request)}: ${request.message}`,
		...(request.kind === 'elicitation' ? ['This text comes from the server. Do not enter a password.'] : []),
		...(request.url ? urlLines(request.url) : startChoices),
	];
}

function urlLines({address, host, warning}: AskedUrl): readonly string[] {
	return [
		`It wants you to open a page of ${host}. This text comes from the server.`,
		...(warning === undefined ? [] : [`${warning}.`]),
		`The whole address: ${address}`,
		...urlChoices,
	];
}

/** The question once more, for a listener who heard other lines since. */
export function questionPrompt({form: {form, at}}: QuestionDialog, request: QuestionRow): readonly string[] {
	const field = typeof at === 'number' ? form.fields[at] : undefined;
	const beginning = request.url ? [`A page of ${request.url.host}.`, ...urlChoices] : startChoices;
	const answers = at === 'start' ? beginning : endChoices;
	return [
		`Still waiting, question from ${request.asker}.`,
		...(field && typeof at === 'number' ? fieldPrompt(field, form.entries[at] ?? []) : answers),
	];
}

/** The effect of a typed line on a question. */
export function questionStep(dialog: QuestionDialog, text: string, request: QuestionRow): ScreenReaderStep {
	const {at} = dialog.form;
	if (typeof at === 'number') {
		return fieldStep(dialog, at, text);
	}

	return at === 'start' ? startStep(dialog, text, request) : endStep(dialog, text, request);
}

function startStep(dialog: QuestionDialog, text: string, request: QuestionRow): ScreenReaderStep {
	switch (text) {
		case '1':
			return answer(dialog, request, {kind: 'decline'});
		case '2':
			return answer(dialog, request, {kind: 'cancel'});
		case '3':
			return request.url
				? answer(dialog, request, {kind: 'accept', values: {}, open: request.url.address})
				: askField(dialog, 0);
		case '4':
			return request.url
				? answer(dialog, request, {kind: 'accept', values: {}})
				: printed(dialog, ['That answers nothing.', ...startChoices]);
		default:
			return printed(dialog, ['That answers nothing.', ...(request.url ? urlChoices : startChoices)]);
	}
}

function endStep(dialog: QuestionDialog, text: string, request: QuestionRow): ScreenReaderStep {
	switch (text) {
		case '1':
			return answer(dialog, request, {kind: 'decline'});
		case '2':
			return askField({...dialog, form: openFieldByFieldForm(request)}, 0);
		case '3': {
			const reading = readForm(dialog.form.form);
			return reading.kind === 'values'
				? answer(dialog, request, {kind: 'accept', values: reading.values})
				: printed(
						dialog,
						reading.problems.filter(problem => problem !== ''),
					);
		}

		default:
			return printed(dialog, ['That sends nothing.', ...endChoices]);
	}
}

function fieldStep(dialog: QuestionDialog, at: number, text: string): ScreenReaderStep {
	const {form} = dialog.form;
	const field = form.fields[at];
	if (!field) {
		return askField(dialog, at);
	}

	const entry = typedEntry(field, text, form.entries[at] ?? []);
	const value = entry && fieldValue(field, entry);
	if (!entry || !value || value.kind === 'problem') {
		const why = value?.kind === 'problem' ? value.text : 'only numbers of the list are allowed';
		return printed(dialog, [`Not accepted: ${why}.`, ...fieldPrompt(field, form.entries[at] ?? [])]);
	}

	return askField({...dialog, form: {...dialog.form, form: withEntry(form, at, entry)}}, at + 1);
}

function askField(dialog: QuestionDialog, at: number): ScreenReaderStep {
	const {form} = dialog.form;
	const field = form.fields[at];
	return field
		? printed({...dialog, form: {form, at}}, fieldPrompt(field, form.entries[at] ?? []))
		: printed({...dialog, form: {form, at: 'end'}}, ['That was the last field.', ...endChoices]);
}

function answer(dialog: QuestionDialog, request: QuestionRow, given: QuestionAnswer): ScreenReaderStep {
	return {
		dialog,
		calls: [{method: 'questions.answer', params: {id: request.id, answer: given}, profile: request.profile}],
		lines: [],
	};
}

function printed(dialog: QuestionDialog, lines: readonly string[]): ScreenReaderStep {
	return {dialog, calls: [], lines};
}

/** A field to be read out: its name, what it takes, its values by number. */
function fieldPrompt(field: AnyField, entry: readonly string[]): readonly string[] {
	const options = optionsOf(field);
	const bounds = fieldBounds(field);
	const kept = entry.join(', ');
	const empty =
		kept === '' ? (field.need === 'optional' ? 'An empty line skips it.' : '') : `An empty line keeps ${kept}.`;
	return [
		`${shownName(field.title || field.name)}, ${field.need === 'required' ? 'required' : 'optional'}${bounds === '' ? '' : `, ${bounds}`}.`,
		...(field.description === '' ? [] : [field.description]),
		...options.map(({title}, index) => `${index + 1} ${title}`),
		[options.length === 0 ? 'Type it and press Enter.' : numbersText(field), empty].filter(Boolean).join(' '),
	];
}

function numbersText(field: AnyField): string {
	return field.kind === 'choices'
		? 'Type numbers separated by spaces and press Enter.'
		: 'Type a number and press Enter.';
}

/** The entry of a typed line into a field; undefined for a number that is not on the list. */
function typedEntry(field: AnyField, text: string, before: readonly string[]): readonly string[] | undefined {
	if (text === '') {
		return before;
	}

	const options = optionsOf(field);
	if (options.length === 0) {
		return [text];
	}

	const values = text
		.split(/[\s,]+/u)
		.map(number => (/^\d+$/u.test(number) ? options[Number(number) - 1]?.value : undefined));
	const picked = values.filter(value => value !== undefined);
	return picked.length === values.length && (field.kind === 'choices' || picked.length === 1) ? picked : undefined;
}
