import {type Key} from 'ink';
import {type MethodName, type ParamsOf} from '../../source/state/api.ts';
import {type CallOf, type GatewayCall} from '../../source/state/gateway-call.ts';
import {type GatewayEventBody} from '../../source/state/event.ts';
import {type FormField} from '../../source/state/person-event.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {formOf} from '../../source/tui/state/form-mode.ts';
import {type UiState} from '../../source/tui/state/ui-state.ts';
import {type Clock} from '../../source/util/clock.ts';
import {sampleTime, settled} from './sample-events.ts';
import {type Screenful} from './slow-terminal.ts';

/** A clock that moves without waiting: ten thousand keys must not take minutes. */
export function createHandClock() {
	let now = 0;
	let timers: Array<{readonly at: number; readonly callback: () => void}> = [];
	const clock: Clock = {
		now: () => sampleTime + now,
		elapsed: () => now,
		after(milliseconds, callback) {
			const timer = {at: now + milliseconds, callback};
			timers.push(timer);
			return {cancel: () => void (timers = timers.filter(other => other !== timer))};
		},
		soon: callback => callback(),
	};
	return {
		clock,
		advance: (milliseconds: number) => {
			now += milliseconds;
			const due = timers.filter(timer => timer.at <= now);
			timers = timers.filter(timer => timer.at > now);
			for (const timer of due) {
				timer.callback();
			}
		},
	};
}

const named = {title: '', description: '', need: 'optional'} as const;
/** The forms that questions may come with. */
export const forms: ReadonlyArray<readonly FormField[]> = [
	[],
	[{...named, name: 'sure', kind: 'boolean'}],
	[{...named, name: 'word', kind: 'text'}],
];

type Decision = {
	readonly kind: 'approval' | 'rule' | 'question' | 'proposal';
	readonly id: string;
	readonly hash: string | undefined;
	readonly settled: GatewayEventBody;
};

type Decisions = {readonly [Name in MethodName]?: (params: ParamsOf<Name>) => Decision | undefined};

/** The methods that decide for good. A denial or a refusal without the armed key is no accident. */
const decisions: Decisions = {
	'approvals.allow': ({id, arguments_hash: hash}) => ({kind: 'approval', id, hash, settled: settled(id)}),
	'rules.store': ({id, arguments_hash: hash, rule_hash: rule}) => ({
		kind: 'rule',
		id,
		hash: `${hash} ${rule}`,
		settled: settled(id),
	}),
	'questions.answer'({id, answer}) {
		const outcome = {type: 'question.settled', id, kind: 'elicitation', asker: 'a', outcome: 'answered'} as const;
		return answer.kind === 'cancel' ? undefined : {kind: 'question', id, hash: undefined, settled: outcome};
	},
	'proposals.answer'({id, answer}) {
		const outcome = {type: 'proposal.settled', id, outcome: 'installed'} as const;
		return answer.kind === 'confirm' ? {kind: 'proposal', id, hash: undefined, settled: outcome} : undefined;
	},
};

/** The decision of a call; undefined if it decides nothing for good. */
export function decisionOf<Name extends MethodName>({method, params}: GatewayCall<Name>): Decision | undefined {
	return decisions[method]?.(params);
}

/** The proposals of a gateway for a request: another rule for each choice, and none for some of them. */
export function proposedRule({params: {id, choices}}: CallOf<'rules.propose'>): GatewayEventBody {
	const chosen = choices[0] ?? 0;
	const options = ['is acme/app', 'is one of these', 'may be anything'];
	return {
		type: 'view.rule-proposal',
		id,
		arguments: [{name: 'repo', choices: options, chosen}],
		outcome:
			chosen === 1
				? {kind: 'none', why: 'choose another one'}
				: {kind: 'rule', words: `allows a tool when repo ${options[chosen] ?? ''}`, hash: `rule-${chosen}-of-${id}`},
	};
}

/** The rule that the page of a request shows. */
function ruleHashOf(cardId: string, {ruleProposal}: Snapshot): string {
	return ruleProposal?.id === cardId && ruleProposal.outcome.kind === 'rule' ? ruleProposal.outcome.hash : 'no rule';
}

/** The content of a frame of the dashboard. */
export function screenful(ui: UiState, snapshot: Snapshot): Screenful {
	const {mode} = ui;
	const owner = formOf(ui)?.owner;
	const questionId = owner?.kind === 'question' ? owner.id : undefined;
	const id = mode.kind === 'review' ? mode.cardId : mode.kind === 'proposal' ? mode.id : questionId;
	const card = mode.kind === 'review' ? snapshot.approvals.find(row => row.id === mode.cardId) : undefined;
	const rule = mode.kind === 'review' && mode.page === 'rule' ? ruleHashOf(mode.cardId, snapshot) : undefined;
	const argumentsHash = rule === undefined ? card?.argumentsHash : `${card?.argumentsHash ?? ''} ${rule}`;
	const parts = [mode.kind, id, formOf(ui)?.stop, 'page' in mode ? mode.page : '', argumentsHash];
	const asked =
		'again' in mode
			? [mode.again, mode.answers, mode.scroll, mode.kind === 'review' ? mode.form : '']
			: [formOf(ui)?.answers];
	return {id, argumentsHash, screen: [...parts, ...asked].join(' ')};
}

/** An end that no key of this dashboard brought about. */
export function foreignEnd(
	{approvals, questions, proposals}: Snapshot,
	dice: () => number,
): GatewayEventBody | undefined {
	const pick = <Value>(values: readonly Value[]) => values[Math.floor(dice() * values.length)];
	const kind = dice();
	const card = pick(approvals);
	if (card && kind < 0.4) {
		return settled(card.id, {outcome: 'cancelled', scope: undefined, by: undefined});
	}

	if (card && kind < 0.7) {
		return settled(card.id, {outcome: dice() < 0.5 ? 'approved' : 'denied', by: 'cli'});
	}

	const asked = pick(questions);
	if (asked && kind < 0.85) {
		return {type: 'question.settled', id: asked.id, kind: 'elicitation', asker: 'a', outcome: 'timed_out'};
	}

	const proposed = pick(proposals);
	return proposed && {type: 'proposal.settled', id: proposed.id, outcome: 'withdrawn'};
}

/** Input that is typed. */
export const letters = [
	'a',
	's',
	'w',
	'A',
	'a',
	's',
	'w',
	'd',
	'm',
	'n',
	'b',
	'y',
	'j',
	'q',
	'2',
	'x',
	'i',
	'i',
	'p',
	'p',
	't',
	' ',
	'é',
	'aa',
	'wa',
	'A\r',
];
/** Keys without a letter. */
export const keys: ReadonlyArray<Partial<Key>> = [
	{return: true},
	{escape: true},
	{tab: true},
	{upArrow: true},
	{return: true},
	{tab: true},
	{pageDown: true},
	{rightArrow: true},
	{leftArrow: true},
];

const same = 'a line\n'.repeat(12);
/** Its card folds lines until a key shows them. */
export const foldedEdit = {old_string: `${same}a`, new_string: `${same}b`};

/** True for a request with folded lines that nobody has seen. */
export function isFolded(id: string, {mode}: UiState): boolean {
	return id.startsWith('edit') && mode.kind === 'review' && mode.form === 'folded' && mode.full.reading === 'unread';
}
