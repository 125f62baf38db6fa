import {originText} from '../../state/origin.ts';
import {type Snapshot} from '../../state/snapshot.ts';
import {minutesText} from '../text/duration-text.ts';
import {type Form} from '../state/form.ts';
import {labelled} from '../lists/list-row.ts';
import {own, type Line, lineWithEnd, span} from '../text/span.ts';
import {signs} from '../text/status-text.ts';
import {wrapToWidth} from '../text/text-width.ts';

/** What stands over a form: its title, and who wants to know what. */
export type FormIntro = {readonly title: Line; readonly lines: readonly Line[]};

/** The introduction of a form. `now` is for the countdown. */
export function formIntro(
	form: Form,
	snapshot: Pick<Snapshot, 'questions'>,
	{width, now}: {readonly width: number; readonly now: number},
): FormIntro {
	const {owner} = form;
	if (owner.kind === 'tool') {
		return {
			title: [span(` Call ${owner.name}`, 'strong'), span(own` · its call passes the same gate as every other`, 'dim')],
			lines: [],
		};
	}

	const index = snapshot.questions.findIndex(({id}) => id === owner.id);
	const question = snapshot.questions[index];
	if (!question) {
		return {title: [], lines: []};
	}

	const left = question.expiresAt - now;
	const place = `${index + 1} of ${snapshot.questions.length}`;
	return {
		title: lineWithEnd(
			[span(` ${signs.question} QUESTION ${place}`, 'notice')],
			[
				span(
					`expires in ${minutesText(left)}${left < 10_000 ? own` · expiring` : ''} `,
					left < 10_000 ? 'bad' : 'busy',
				),
			],
			width,
		),
		lines: [
			...labelled(question.kind === 'elicitation' ? 'server' : 'asked by', question.asker, width),
			...labelled('from', originText(question.origin, own` · `), width),
			...(question.kind === 'elicitation'
				? [[span(own` the words below are the server’s · give it no password`, 'dim')]]
				: []),
			[],
			...wrapToWidth(question.message, width - 2).map((text): Line => [span(` ${text}`)]),
		],
	};
}
