import {type Command} from '../../state/command.ts';
import {type EventRow, type JobRow, type RouteRow, type RunRow, type Snapshot} from '../../state/snapshot.ts';
import {
	type Awaited,
	type Step,
	type UiContext,
	type UiState,
	withAwaited,
	withCommand,
	withToast,
} from '../state/ui-state.ts';
import {jobText, routeText, runText, type StatusLabel, webhookText} from '../text/status-text.ts';
import {type Tone} from '../text/theme.ts';

/** Sends a command and says what is under way, until the row that it changes says how it ended. */
export function withDoing(ui: UiState, doing: string, command: Command, context: UiContext): Step {
	const awaited = awaitedBy(command, context.snapshot);
	return withCommand(awaited ? withAwaited(ui, doing, awaited) : withToast(ui, doing), command, context);
}

/** What a command about a route, job, run or event will change; undefined where no row shows it. */
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

	return command.type === 'replay-event'
		? {kind: 'replay', eventId: command.eventId, after: snapshot.events.at(-1)?.seq ?? 0}
		: undefined;
}

type RowAwaited = Extract<Awaited, {kind: 'route' | 'job' | 'run' | 'new-run' | 'replay'}>;

/** How such a command ended, as far as the snapshot shows it; undefined while it is under way. */
export function rowOutcome(
	awaited: RowAwaited,
	snapshot: Snapshot,
): {readonly text: string; readonly tone: Tone} | undefined {
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
	return event.type === 'webhook.settled' && event.reason?.includes(`replay of ${eventId}`) === true;
}

function outcome(name: string, {word, tone}: StatusLabel, reason = '') {
	return {text: `${name} ${word}${reason === '' ? '' : `: ${reason}`}`, tone};
}
