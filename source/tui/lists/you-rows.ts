import {failedDeliveryEntity} from '../../state/entities/delivery.ts';
import {answeredWords} from '../../state/answered.ts';
import {type AnsweredRow, type FailedDeliveryRow, type Snapshot} from '../../state/snapshot.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {isInboxItem, waitingLogins} from '../../state/waiting.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {glyphs} from '../../state/entities/status-text.ts';
import {wideCells} from './columns.ts';
import {approvalListRow, decisionListRow} from './approval-rows.ts';
import {uncertainListRow} from './call-rows.ts';
import {entityRow} from './entity-row.ts';
import {labelled, type ListRow, rememberPairs, rememberRows, repeatedText} from './list-row.ts';
import {loginListRow} from './login-rows.ts';
import {proposalListRow, questionListRow} from './question-rows.ts';
import {runListRow} from './run-rows.ts';
import {serverRows} from './server-rows.ts';
import {toolText} from '../../util/safe-text.ts';

/** All that needs a person (`state/waiting.ts`), requests first; then what was decided, newest first. */
export function youRows(snapshot: Snapshot): readonly ListRow[] {
	const {approvals, questions, proposals, uncertain, runs, failedDeliveries, gateway, rates} = snapshot;
	return [
		...approvals.map(approvalListRow),
		...questions.map(questionListRow),
		...proposals.map(proposalListRow),
		...uncertain.map(uncertainListRow),
		...waitingLogins(snapshot).flatMap(row =>
			'transport' in row ? serverRows({servers: [row], rates}) : [loginListRow(row)],
		),
		...runs.filter(isInboxItem).map(runListRow),
		...failedDeliveries.map(row => failedDeliveryListRow(row, gateway)),
		...decidedRows(snapshot),
	];
}

function decidedRows({decisions, answered}: Snapshot): readonly ListRow[] {
	return [
		...decisions.map(decision => ({seq: decision.seq, row: decisionListRow(decision)})),
		...answered.map(answer => ({seq: answer.seq, row: answeredListRow(answer)})),
	]
		.toSorted((first, second) => first.seq - second.seq)
		.map(({row}) => row)
		.reverse();
}

/** The row of a route or job whose deliveries to a platform fail. */
const failedDeliveryListRow = rememberPairs((failed: FailedDeliveryRow, gateway: Snapshot['gateway']) =>
	entityRow(failedDeliveryEntity, {
		...failed,
		failing: {rows: [failed], nameOf: ({target}) => `to ${target}`, gateway},
	}),
);

/** The row of a question or an uncertain call that has ended. */
const answeredListRow = rememberRows((answered: AnsweredRow): ListRow => {
	const name = nameOf(answered);
	const id = answered.type === 'question.settled' ? answered.id : answered.callId;
	return {
		id: `answered-${answered.seq}`,
		isPast: true,
		isTimeless: true,
		copy: id,
		fields: () => ({
			server: name,
			state: answeredWords(answered),
			by: answered.by ?? '',
			id,
			profile: answered.profile,
		}),
		values: () => ({name}),
		repeats: {
			at: answered.seq,
			text: () => repeatedText(answered.type, name, answeredWords(answered), answered.profile),
			line: width => answeredLine(answered, name, width),
		},
		line: width => answeredLine(answered, name, width),
		detail: width => [
			...labelled('outcome', answeredWords(answered), width),
			...labelled(answered.type === 'question.settled' ? 'asked by' : 'call of', name, width),
			...labelled('time', timeOfDay(answered.time), width),
			...labelled(answered.type === 'question.settled' ? 'question' : 'call', id, width),
		],
	};
});

function answeredLine(answered: AnsweredRow, name: string, width: number): Line {
	const isQuestion = answered.type === 'question.settled';
	const glyph = isQuestion ? glyphs.question : uiText`◇`;
	const words = answeredWords(answered);
	return width < 60
		? [span(`${glyph} `, 'dim'), cell(name, 14), span(words, 'dim')]
		: [
				span(`${glyph} `, 'dim'),
				cell(isQuestion ? 'question' : 'uncertain', 14, 'dim'),
				cell('', 9),
				cell('', wideCells(12, 0.06, width)),
				cell(name, wideCells(24, 0.24, width)),
				cell(timeOfDay(answered.time), 9, 'dim'),
				span(words, 'dim'),
			];
}

/** The asker, or the called tool if it is known. */
function nameOf(answered: AnsweredRow): string {
	if (answered.type === 'question.settled') {
		return answered.asker;
	}

	return answered.server === undefined
		? answered.callId
		: toolText({server: answered.server, tool: answered.tool ?? ''});
}
