import {isDeepStrictEqual} from 'node:util';
import {type ControlClient} from '../../control/client.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {Problem} from '../../util/problem.ts';
import {createEventBus} from '../../state/event-bus.ts';
import {type GatewayEvent, type GatewayEventBody} from '../../state/event.ts';
import {isPersonEvent} from '../../state/person-event.ts';
import {personEvent} from '../../state/reduce-person.ts';
import {statusEvent} from '../../state/reduce-status.ts';
import {emptySnapshot, type Snapshot} from '../../state/snapshot.ts';
import {type Session} from '../cli/session.ts';
import {openReconnectingConsole, type DashboardGateway} from './reconnecting-console.ts';
import {type RunnableGateway} from './gateway-run.ts';

/**
The gateway of another process for a console of lines: its events from now on, and before them what waits for a person. While the connection is
lost nothing waits.
*/
export function createAttachedLines(
	session: Session,
	running: ControlClient,
	onFailure: (error: unknown) => void,
): RunnableGateway & GatewayClient {
	const {clock, paths} = session;
	// Secrets are masked where the events come from.
	const eventBus = createEventBus({clock, redact: event => event});
	const publishAs = (event: GatewayEventBody & {readonly profile: string}) => eventBus.publishFor(event.profile)(event);
	const publish = eventBus.publishFor(paths.profile);
	let waiting: Snapshot = emptySnapshot;
	const snapshotListeners = new Set<(snapshot: Snapshot) => void>();
	eventBus.listen(event => {
		if (isPersonEvent(event)) {
			waiting = personEvent(waiting, event);
		} else if (event.type === 'hold.state') {
			waiting = statusEvent(waiting, event);
		}
	});

	const receive = (event: GatewayEvent) => {
		if (event.type === 'view.console') {
			if (event.state === 'attached') {
				publish({type: 'log', level: 'info', area: 'console', text: `attached to the gateway, process ${event.pid}`});
			} else if (event.state === 'lost') {
				withdrawn(waiting).forEach(publishAs);
				publish({type: 'log', level: 'warning', area: 'console', text: `the connection is lost: ${event.reason}`});
			}
		} else {
			publishAs(event);
		}
	};

	const replace = (snapshot: Snapshot) => {
		snapshotListeners.forEach(take => take(snapshot));
		withdrawn(without(waiting, snapshot)).forEach(publishAs);
		asked(without(snapshot, waiting)).forEach(publishAs);
		if (!isDeepStrictEqual(snapshot.hold, waiting.hold)) {
			publish(holdState(snapshot.hold));
		}
	};

	let gateway: DashboardGateway | undefined;
	return {
		subscribe(onEvent, onSnapshot = () => undefined) {
			const end = eventBus.listen(onEvent);
			snapshotListeners.add(onSnapshot);
			return () => {
				end();
				snapshotListeners.delete(onSnapshot);
			};
		},
		async call(...asked) {
			if (!gateway) {
				throw new Problem('gateway_not_running');
			}

			return gateway.call(...asked);
		},
		async start() {
			gateway = openReconnectingConsole({session, first: running, onFailure});
			gateway.subscribe(receive, replace);
		},
		drain: async () => undefined,
		async stop(reason) {
			await gateway?.leave(reason);
		},
	};
}

function holdState(hold: Snapshot['hold']): Extract<GatewayEventBody, {type: 'hold.state'}> {
	if (!hold) {
		return {type: 'hold.state', waiting: 0};
	}

	const {waiting, ...held} = hold;
	return {type: 'hold.state', held, waiting};
}

type Published = GatewayEventBody & {readonly profile: string};

type Requests = Pick<Snapshot, 'approvals' | 'questions' | 'proposals'>;

/** The requests of one that the other does not have as they are. */
function without({approvals, questions, proposals}: Requests, other: Requests): Requests {
	const rest = <Row extends object>(rows: readonly Row[], known: readonly Row[]) =>
		rows.filter(row => !known.some(one => isDeepStrictEqual(one, row)));
	return {
		approvals: rest(approvals, other.approvals),
		questions: rest(questions, other.questions),
		proposals: rest(proposals, other.proposals),
	};
}

function asked({approvals, questions, proposals}: Requests): readonly Published[] {
	return [
		...approvals.map(row => ({type: 'approval.requested', ...row}) as const),
		...questions.map(row => ({type: 'question.asked', ...row}) as const),
		...proposals.map(row => ({type: 'proposal.asked', ...row}) as const),
	];
}

function withdrawn({approvals, questions, proposals}: Requests): readonly Published[] {
	return [
		...approvals.map(
			({id, profile, server, tool}) =>
				({type: 'approval.settled', id, profile, server, tool, outcome: 'cancelled'}) as const,
		),
		...questions.map(
			({id, profile, kind, asker}) =>
				({type: 'question.settled', id, profile, kind, asker, outcome: 'cancelled'}) as const,
		),
		...proposals.map(({id, profile}) => ({type: 'proposal.settled', id, profile, outcome: 'withdrawn'}) as const),
	];
}
