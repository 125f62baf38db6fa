import {type Hold} from '../../approvals/hold.ts';
import {type ChannelConfig} from '../../config/read/remote-config.ts';
import {type Journal} from '../../journal/journal.ts';
import {type OpenedChannel} from '../../remote/channels.ts';
import {type Runs} from '../../runs/runs.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {type RemoteMessage, type RemoteOutcome} from '../../journal/rows/remote-rows.ts';
import {type RemoteItem, type RunnerOptions} from '../../remote/runner-options.ts';
import {utcTime} from '../../remote/request-message.ts';
import {type ApprovalOutcome} from '../../approvals/approval-state.ts';
import {answeredWords, findAnswered} from '../../state/answered.ts';
import {type QuestionDetails} from '../../state/person-event.ts';
import {type RunRow} from '../../state/snapshot.ts';
import {isInboxItem} from '../../state/waiting.ts';
import {atMost} from '../../util/clock.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {errorText} from '../../util/problem.ts';
import {type Profile, type Profiles} from './profiles.ts';

/** The parts of a gateway that chats work with. */
export type RemoteParts = {
	readonly profiles: Pick<Profiles, 'first' | 'all'>;
	readonly journal: Journal;
	readonly hold: Pick<Hold, 'hold' | 'current'>;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly inbox: Runs['inbox'];
	/** Milliseconds since the last key at any console; undefined before the first. */
	readonly sinceLastKey: () => number | undefined;
	/** Opens the chat of a channel; default: that of its platform. */
	readonly openChannel?: ((channel: ChannelConfig) => Promise<OpenedChannel>) | undefined;
};

/** An answer to an item of the inbox is delivered, which may take long: after this time the chat goes on without its end. */
const deliveryMilliseconds = 5000;

/** The requests of a profile: those that wait for a person, the ends of the others, and the answers from a chat. */
export function createRemoteRequests(
	{name, tools, context}: Profile,
	{journal, hold, live, inbox}: Pick<RemoteParts, 'journal' | 'hold' | 'live' | 'inbox'>,
): Pick<RunnerOptions, 'waiting' | 'outcomeOf' | 'acts'> {
	const {clock, redactor} = context;
	const {requests} = tools;
	const begunAt = clock.now();
	/** Items of an earlier start that had a message. */
	const sentBefore = new Set<string>();
	const inboxItems = (): readonly RunRow[] =>
		live.current().runs.filter(run => isInboxItem(run) && run.profile === name);
	const questions = () => requests.questions().filter(({kind}) => kind === 'clarify');
	const waiting = (): readonly RemoteItem[] =>
		[
			...requests.approvals().map(request => ({...timesOf(request), kind: 'approval' as const, request})),
			...questions().map(question => ({...timesOf(question), kind: 'question' as const, question})),
			// Items from before the start are no news, and may be many.
			...inboxItems()
				.filter(({runId, since}) => since >= begunAt || sentBefore.has(runId))
				.map(({runId, prompt, since}) => ({
					kind: 'inbox' as const,
					id: runId,
					prompt: redactor.redact(prompt),
					requestedAt: since,
					expiresAt: null,
				})),
		].sort((one, other) => one.requestedAt - other.requestedAt);

	const approvalEnd = async (id: string): Promise<RemoteOutcome> => {
		const end = requests.endOf(id);
		if (end) {
			return outcomeWords(end, clock.now());
		}

		const decision = await journal.findDecision(id);
		return decision
			? outcomeWords({by: 'somebody', scope: 'once', ...decision, kind: decision.outcome}, decision.time)
			: gone;
	};

	return {
		waiting,
		async outcomeOf({subject: {kind, requests: about}}: RemoteMessage) {
			const ids = about.map(({id}) => id);
			const [id = ''] = ids;
			if (kind === 'inbox' && inboxItems().some(({runId}) => runId === id)) {
				sentBefore.add(id);
				return undefined;
			}

			const isWaiting = (one: {readonly id: string}) => ids.includes(one.id);
			if (requests.approvals().some(isWaiting) || questions().some(isWaiting)) {
				return undefined;
			}

			switch (kind) {
				case 'summary':
					return {text: 'None of these waits any more'};
				case 'inbox':
					return {text: 'It is no longer in the inbox'};
				case 'question':
					return questionEnd(live.current(), id);
				case 'approval':
				case 'notice':
					return inboxItems().some(({runId}) => runId === id) ? undefined : approvalEnd(id);
			}
		},
		acts: createActs({requests, questions, hold, inbox, clock}),
	};
}

/** The acts of a chat on what waits in a profile. */
function createActs({
	requests,
	questions,
	hold,
	inbox,
	clock,
}: Pick<RemoteParts, 'hold' | 'inbox'> & {
	readonly requests: Pick<Profile['tools']['requests'], 'answerApproval' | 'answerQuestion'>;
	readonly questions: () => readonly QuestionDetails[];
	readonly clock: Profile['context']['clock'];
}): RunnerOptions['acts'] {
	return {
		answer: ({id, argumentsHash}, verdict, by) => requests.answerApproval({id, argumentsHash, verdict, by}),
		async hold(by) {
			await hold.hold({by, reason: ''});
		},
		async answerText({to, id, text}, by) {
			if (to === 'inbox') {
				return answerItem(() => inbox.answer(id, text), clock);
			}

			const question = questions().find(one => one.id === id);
			const values = question ? valuesOf(question, text) : {answer: text};
			const result = await requests.answerQuestion({id, answer: {kind: 'accept', values}, by});
			return result.kind === 'unfit' ? `The answer does not fit: ${result.problem}` : undefined;
		},
	};
}

function timesOf({
	id,
	requestedAt,
	expiresAt,
}: {
	readonly id: string;
	readonly requestedAt: number;
	readonly expiresAt: number | null;
}) {
	return {id, requestedAt, expiresAt};
}

/** The values of a question of a run: the number of a choice, or a text. */
function valuesOf({fields}: QuestionDetails, text: string): JsonObject {
	const choice = fields.find(({kind}) => kind === 'choice');
	const options = choice?.kind === 'choice' ? choice.options : [];
	const chosen = /^\d{1,2}$/u.test(text) ? options[Number(text) - 1] : undefined;
	return chosen ? {[choice?.name ?? '']: chosen.value} : {answer: text};
}

async function answerItem(
	answer: () => Promise<string | undefined>,
	clock: Parameters<typeof atMost>[2],
): Promise<string | undefined> {
	let problem: string | undefined;
	const answered = answer().then(
		reason => (problem = reason),
		(caught: unknown) => (problem = errorText(caught)),
	);
	await atMost(deliveryMilliseconds, answered, clock);
	return problem;
}

function questionEnd(snapshot: ReturnType<RemoteParts['live']['current']>, id: string): RemoteOutcome {
	const row = findAnswered(snapshot, id);
	return row ? {text: capitalized(answeredWords(row))} : gone;
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

const gone: RemoteOutcome = {text: 'It is no longer waiting, and was not decided here'};

const scopeWords = {
	once: 'once',
	run: 'until its run ends',
	session: 'until the gateway stops',
	always: 'always',
} as const;

/** The outcome of a request as its message shows it. */
export function outcomeWords(outcome: ApprovalOutcome, time: number): RemoteOutcome {
	switch (outcome.kind) {
		case 'approved':
			return {text: `Allowed ${scopeWords[outcome.scope]} by ${outcome.by} at ${utcTime(time)}`};
		case 'denied':
			return {text: `Denied by ${outcome.by} at ${utcTime(time)}`, foreign: outcome.message};
		case 'timed_out':
			return {text: 'Nobody answered in time. It comes back when the agent calls again'};
		case 'no_channel':
			return {text: 'Nobody could be asked'};
		case 'cancelled':
			return {text: 'It is no longer waiting: the caller went away, or the gateway stopped'};
	}
}
