import {type QuestionAnswer} from '../../state/command.ts';
import {originText} from '../../state/origin.ts';
import {type QuestionRow} from '../../state/snapshot.ts';
import {fieldValue} from '../../tui/field-value.ts';
import {openForm, withEntry} from '../../tui/form.ts';
import {readForm} from '../../tui/form-values.ts';
import {typedEntry, fieldPrompt} from './numbered-field.ts';
import {type NumberedDialog, type NumberedForm, type NumberedStep} from './numbered-step.ts';

type QuestionDialog = Extract<NumberedDialog, {kind: 'question'}>;

const startChoices = [
	'1 decline to answer',
	'2 cancel, nobody decided',
	'3 answer',
	'Type a number and press Enter.',
] as const;
const endChoices = ['1 decline to answer', '2 start over', '3 send', 'Type a number and press Enter.'] as const;

/** The form of a question, before its first field. */
export function openNumberedForm(card: QuestionRow): NumberedForm {
	return {form: openForm({kind: 'question', id: card.id}, card.fields), at: 'start'};
}

/** A question to be read out, then the numbered answers. */
export function questionLines(card: QuestionRow): readonly string[] {
	return [
		`Question of ${card.asker}, from ${originText(card.origin)}: ${card.message}`,
		...(card.kind === 'elicitation' ? ['The words are the server’s. Give it no password.'] : []),
		...startChoices,
	];
}

/** What a typed line does with a question. */
export function questionStep(dialog: QuestionDialog, text: string, card: QuestionRow): NumberedStep {
	const {at} = dialog.form;
	if (typeof at === 'number') {
		return fieldStep(dialog, at, text);
	}

	return at === 'start' ? startStep(dialog, text, card) : endStep(dialog, text, card);
}

function startStep(dialog: QuestionDialog, text: string, card: QuestionRow): NumberedStep {
	switch (text) {
		case '1':
			return answer(dialog, card, {kind: 'decline'});
		case '2':
			return answer(dialog, card, {kind: 'cancel'});
		case '3':
			return askField(dialog, 0);
		default:
			return said(dialog, ['That answers nothing.', ...startChoices]);
	}
}

function endStep(dialog: QuestionDialog, text: string, card: QuestionRow): NumberedStep {
	switch (text) {
		case '1':
			return answer(dialog, card, {kind: 'decline'});
		case '2':
			return askField({...dialog, form: openNumberedForm(card)}, 0);
		case '3': {
			const reading = readForm(dialog.form.form);
			return reading.kind === 'values'
				? answer(dialog, card, {kind: 'accept', values: reading.values})
				: said(
						dialog,
						reading.problems.filter(problem => problem !== ''),
					);
		}

		default:
			return said(dialog, ['That sends nothing.', ...endChoices]);
	}
}

function fieldStep(dialog: QuestionDialog, at: number, text: string): NumberedStep {
	const {form} = dialog.form;
	const field = form.fields[at];
	if (!field) {
		return askField(dialog, at);
	}

	const entry = typedEntry(field, text, form.entries[at] ?? []);
	const value = entry && fieldValue(field, entry);
	if (!entry || !value || value.kind === 'problem') {
		const why = value?.kind === 'problem' ? value.text : 'numbers of the list, please';
		return said(dialog, [`Not taken: ${why}.`, ...fieldPrompt(field, form.entries[at] ?? [])]);
	}

	return askField({...dialog, form: {...dialog.form, form: withEntry(form, at, entry)}}, at + 1);
}

function askField(dialog: QuestionDialog, at: number): NumberedStep {
	const {form} = dialog.form;
	const field = form.fields[at];
	return field
		? said({...dialog, form: {form, at}}, fieldPrompt(field, form.entries[at] ?? []))
		: said({...dialog, form: {form, at: 'end'}}, ['That was all.', ...endChoices]);
}

function answer(dialog: QuestionDialog, card: QuestionRow, given: QuestionAnswer): NumberedStep {
	return {
		dialog,
		commands: [{type: 'answer-question', id: card.id, answer: given, profile: card.profile}],
		lines: [],
	};
}

function said(dialog: QuestionDialog, lines: readonly string[]): NumberedStep {
	return {dialog, commands: [], lines};
}
