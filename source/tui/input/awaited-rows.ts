import {type Command} from '../../state/command.ts';
import {answeredWords, findAnswered} from '../../state/answered.ts';
import {ownConsoleName} from '../../state/console-state.ts';
import {isFromConsole, type Origin} from '../../state/origin.ts';
import {waitsForPerson} from '../../state/waiting.ts';
import {type EventRow, type JobRow, type RouteRow, type RunRow, type Snapshot} from '../../state/snapshot.ts';
import {isNamedBy} from '../../util/id-part.ts';
import {
	type Awaited,
	type LeavingList,
	type Step,
	type UiContext,
	type UiState,
	withAwaited,
	withCommand,
	withToast,
} from '../state/ui-state.ts';
import {
	callText,
	jobText,
	loginText,
	routeText,
	runText,
	type StatusLabel,
	webhookText,
	type Tone,
} from '../../state/entities/status-text.ts';
import {isUnderWay} from '../lists/login-rows.ts';
import {questionId} from '../../state/entities/question.ts';
import {markedRows, requestDigest} from '../state/marks.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {toolText} from '../../util/safe-text.ts';

/** Sends a command and says what is under way, until the row that it changes says how it ended. */
export function withDoing(ui: UiState, doing: string, command: Command, context: UiContext): Step {
	const awaited = awaitedBy(command, context.snapshot);
	return withCommand(awaited ? withAwaited(ui, doing, awaited) : withToast(ui, doing), command, context);
}

/** The expected change of a command about a row; undefined if no row shows it. */
function awaitedBy(command: Command, snapshot: Snapshot): Awaited | undefined {
	const {profile} = command;
	const isOwn = (row: {readonly profile: string}) => profile === undefined || row.profile === profile;
	if (command.type === 'set-route-paused') {
		const before = snapshot.routes.find(row => row.route === command.route && isOwn(row));
		return before && {kind: 'route', before};
	}

	if (command.type === 'set-job-paused' || command.type === 'run-job') {
		const before = snapshot.jobs.find(row => row.id === command.id && isOwn(row));
		return before && {kind: 'job', before};
	}

	if (command.type === 'cancel-run' || command.type === 'answer-inbox' || command.type === 'close-inbox-item') {
		const before = snapshot.runs.find(row => row.runId === command.runId);
		return before && {kind: 'run', before};
	}

	if (command.type === 'start-run' || command.type === 'follow-up-run') {
		return {kind: 'new-run', after: snapshot.runs.at(-1)?.runId};
	}

	const newestEvent = snapshot.events.at(-1)?.seq ?? 0;
	if (command.type === 'replay-event') {
		return {kind: 'replay', eventId: command.eventId, after: newestEvent};
	}

	if (command.type === 'repeat-uncertain') {
		const call = snapshot.uncertain.find(({callId}) => callId === command.callId);
		return call && {kind: 'repeat', call, after: newestEvent};
	}

	if (command.type === 'hold' || command.type === 'unhold') {
		return {kind: 'hold', to: command.type === 'hold' ? 'held' : 'free'};
	}

	return loginBy(command, snapshot) ?? leavingBy(command, snapshot);
}

/** The login that a command is about. */
function loginBy(command: Command, {logins}: Snapshot): Awaited | undefined {
	const isLogin =
		command.type === 'start-login' ||
		command.type === 'switch-to-oauth' ||
		command.type === 'finish-login' ||
		command.type === 'cancel-login';
	if (!isLogin || command.profile === undefined) {
		return undefined;
	}

	const {server, profile} = command;
	const before = logins.find(row => row.server === server && row.profile === profile);
	return {kind: 'login', server, profile, before};
}

/** The rows that leave their list by a command, and what is said then. */
function leavingBy(command: Command, snapshot: Snapshot): Awaited | undefined {
	if (command.type === 'answer-question') {
		return {kind: 'gone', list: 'questions', ids: [command.id], says: 'the question is closed'};
	}

	if (command.type === 'cancel-call') {
		const call = snapshot.calls.find(({callId}) => callId === command.callId);
		return call && {kind: 'gone', list: 'calls', ids: [call.callId], says: `${toolText(call)} has ended`};
	}

	if (command.type === 'resolve-uncertain') {
		const call = snapshot.uncertain.find(({callId}) => callId === command.callId);
		const mark = command.resolution === 'done' ? 'done' : 'not done';
		return call && {kind: 'gone', list: 'uncertain', ids: [call.callId], says: `${toolText(call)} marked as ${mark}`};
	}

	if (command.type === 'revoke-rule') {
		const rule = snapshot.ruleList?.rules.find(({id}) => id === command.id);
		return rule && {kind: 'gone', list: 'rules', ids: [rule.id], says: `removed: ${rule.words}`};
	}

	return command.type === 'dismiss-deliveries'
		? {kind: 'gone', list: 'failedDeliveries', ids: command.ids, says: 'the failed deliveries are dismissed'}
		: undefined;
}

type Outcome = {readonly text: string; readonly tone: Tone};

type RowAwaited = Exclude<Awaited, {kind: 'server' | 'webhooks' | 'demo' | 'reload'}>;

/** The outcome of such a command as the snapshot shows it; undefined while it is under way. */
export function rowOutcome(awaited: RowAwaited, snapshot: Snapshot): Outcome | undefined {
	switch (awaited.kind) {
		case 'route': {
			const {before} = awaited;
			const row = changed(
				before,
				snapshot.routes,
				({route, profile}) => route === before.route && profile === before.profile,
			);
			return row && outcome(row.route, routeText[row.state], row.reason);
		}

		case 'job': {
			const {before} = awaited;
			const row = changed(before, snapshot.jobs, ({id, profile}) => id === before.id && profile === before.profile);
			return row && outcome(row.name, jobText[row.state]);
		}

		case 'run': {
			const {before} = awaited;
			const row = changed(before, snapshot.runs, ({runId}) => runId === before.runId);
			return row && row.state !== before.state ? outcome('run', runText[row.state], row.reason) : undefined;
		}

		case 'new-run': {
			const row = snapshot.runs.at(-1);
			return row && row.runId !== awaited.after ? outcome('run', runText[row.state], row.reason) : undefined;
		}

		case 'replay': {
			const row = snapshot.events.findLast(event => event.seq > awaited.after && isReplay(event, awaited.eventId));
			return row?.type === 'webhook.settled' ? outcome('replay', webhookText[row.outcome], row.reason) : undefined;
		}

		case 'login':
			return loginOutcome(awaited, snapshot);
		case 'hold':
			return holdOutcome(awaited.to, snapshot);
		case 'repeat':
			return repeatOutcome(awaited, snapshot);
		case 'denials':
			return denialsOutcome(awaited, snapshot);
		case 'gone':
			return awaited.ids.some(id => isListed[awaited.list](id, snapshot)) ? undefined : goneOutcome(awaited, snapshot);
	}
}

/** The row as it is now, once it is another than before. */
function changed<Row extends RouteRow | JobRow | RunRow>(
	before: Row,
	rows: readonly Row[],
	isSame: (row: Row) => boolean,
): Row | undefined {
	const row = rows.find(isSame);
	return row === before ? undefined : row;
}

function isReplay(event: EventRow, eventId: string): boolean {
	const replayed = event.type === 'webhook.settled' ? /replay of (\S+)/u.exec(event.reason ?? '')?.[1] : undefined;
	return replayed !== undefined && isNamedBy(replayed, eventId);
}

/** A login that ended, or that waits for a person now. */
function loginOutcome(
	{server, profile, before}: Extract<Awaited, {kind: 'login'}>,
	{logins}: Snapshot,
): Outcome | undefined {
	const row = logins.find(login => login.server === server && login.profile === profile);
	return row === undefined ||
		row === before ||
		(isUnderWay(row) && (!waitsForPerson(row) || row.state === before?.state))
		? undefined
		: outcome(`login to ${server}`, loginText[row.state], row.reason);
}

function holdOutcome(to: 'held' | 'free', {hold}: Snapshot): Outcome | undefined {
	if (to === 'held') {
		return hold && {text: 'everything is held', tone: 'notice'};
	}

	return hold ? undefined : {text: 'released', tone: 'good'};
}

/** A repeated call that ended, or that waits for its approval. */
function repeatOutcome(
	{call: {server, tool, registeredName}, after}: Extract<Awaited, {kind: 'repeat'}>,
	{approvals, events, console}: Snapshot,
): Outcome | undefined {
	// Another gateway may have a window of the same number.
	const isOwn = ({origin}: {readonly origin: Origin}) => isFromConsole(origin, ownConsoleName(console));
	const ended = events.findLast(
		row =>
			row.seq > after &&
			row.type === 'tool.finished' &&
			row.node === undefined &&
			isOwn(row) &&
			row.server === server &&
			row.tool === tool,
	);
	if (ended?.type === 'tool.finished') {
		return outcome(toolText({server, tool}), callText[ended.outcome]);
	}

	return approvals.some(row => row.registeredName === registeredName && row.askedAt === undefined && isOwn(row))
		? {text: uiText`${toolText({server, tool})} waits for your approval · A`, tone: 'notice'}
		: undefined;
}

/** Number of requests denied here, once none of them waits. The others were answered elsewhere or have changed. */
function denialsOutcome({marks, left}: Extract<Awaited, {kind: 'denials'}>, snapshot: Snapshot): Outcome | undefined {
	if (markedRows({marks}, snapshot).length > 0) {
		return undefined;
	}

	const denied = [...marks.keys()].filter(id => isDeniedHere(id, snapshot)).length;
	const others = left + marks.size - denied;
	const words = `${denied} ${denied === 1 ? 'request' : 'requests'} denied`;
	return others === 0
		? {text: words, tone: 'good'}
		: {text: `${words}; ${others} had changed or ended before`, tone: 'notice'};
}

/** Of an install proposal no more is known than that it does not wait any more. */
function isDeniedHere(rowId: string, snapshot: Snapshot): boolean {
	const here = ownConsoleName(snapshot.console);
	const end =
		snapshot.decisions.findLast(({id}) => id === rowId) ??
		snapshot.answered.findLast(row => row.type === 'question.settled' && questionId(row) === rowId);
	return requestDigest(rowId, snapshot) === undefined && (end === undefined || end.by === here);
}

const isListed: Readonly<Record<LeavingList, (id: string, snapshot: Snapshot) => boolean>> = {
	questions: (id, {questions}) => questions.some(row => row.id === id),
	calls: (id, {calls}) => calls.some(({callId}) => callId === id),
	uncertain: (id, {uncertain}) => uncertain.some(({callId}) => callId === id),
	rules: (id, {ruleList}) => ruleList?.rules.some(row => row.id === id) === true,
	failedDeliveries: (id, {failedDeliveries}) => failedDeliveries.some(row => row.id === id),
};

/** A question or an uncertain call may have been answered elsewhere before; a call may have ended by itself before it was cancelled. */
function goneOutcome({list, ids, says}: Extract<Awaited, {kind: 'gone'}>, snapshot: Snapshot): Outcome {
	const {events} = snapshot;
	const here = ownConsoleName(snapshot.console);
	const answered = ids.map(id => findAnswered(snapshot, id)).find(row => row !== undefined);
	if (answered?.by !== undefined && here !== undefined && answered.by !== here) {
		const what = answered.type === 'question.settled' ? 'the question' : 'the call';
		return {text: `too late: ${what} was already ${answeredWords(answered)}`, tone: 'notice'};
	}

	const ended =
		list === 'calls' ? events.findLast(row => row.type === 'tool.finished' && ids.includes(row.callId)) : undefined;
	return ended?.type === 'tool.finished'
		? outcome(toolText(ended), callText[ended.outcome])
		: {text: says, tone: 'good'};
}

function outcome(name: string, {word, tone}: StatusLabel, reason = ''): Outcome {
	return {text: `${name} ${word}${reason === '' ? '' : `: ${reason}`}`, tone};
}
