import {type ApprovalsConfig} from '../config/read/settings.ts';
import {type ApprovalRequest, type Masks, offeredScopes, type FullRequest} from '../state/approval-event.ts';
import {type Verdict} from '../state/person-answers.ts';
import {type GatewayEventBody, type Publish} from '../state/event.ts';
import {type Clock} from '../util/clock.ts';
import {safeText} from '../util/safe-text.ts';
import {type ApprovalEvent, type ApprovalOutcome, nextApprovalState} from './approval-state.ts';
import {createPendingRequests} from './pending-requests.ts';
import {createRecentRequests} from './recent-requests.ts';
import {type RequestRows} from './request-rows.ts';
import {type ProposalSubject} from './rule-proposal.ts';
import {deadlineEvent, type TimeLimit, type WaitingTime} from './waiting-time.ts';

export {type ApprovalOutcome};

/** The request that a person is shown. Texts are safe to show and secrets masked; the queue adds id and times. */
export type NewApproval = Omit<ApprovalRequest, 'id' | 'requestedAt' | 'expiresAt' | 'left'>;

/**
Asks a person and waits for the end; the caller's abort ends it as `cancelled`. Rejects with `storage_unavailable` while other gateways would not see
what is asked, and never else.
*/
export type Ask = (proposed: NewApproval, options: AskOptions) => Promise<ApprovalOutcome>;

type AskOptions = {
	readonly signal?: AbortSignal | undefined;
	/** The time that the request has, in place of `approvals.timeout`. */
	readonly limit?: TimeLimit | undefined;
	/** `waits`: the request waits whoever is there, in place of `approvals.unattended`. */
	readonly unattended?: 'waits' | undefined;
	/** The id under which the request waited at an earlier gateway. */
	readonly id?: string | undefined;
	/** True if the request waits on when this gateway stops, because its caller is a task (docs/endpoint.md, Tasks). */
	readonly outlives?: () => boolean;
	/** Called with the id of the request once it waits for an answer; not when it is refused at once. */
	readonly onWaiting?: (id: string) => void;
	/** Makes all of the request for a console that asks to see it; without it nobody can see more than its bounded form. */
	readonly fullRequest?: (masks: Masks) => FullRequest;
	/** The call as a rule is made from it; absent: no rule can be made. */
	readonly subject?: () => ProposalSubject;
	/** Called when rules have changed: what they say about the call now; undefined while a person is still to be asked. */
	readonly evaluateAgain?: () => Promise<Pick<ApprovalDecision, 'verdict' | 'by'> | undefined>;
	/** Called with the request as it is about to be shown, or refused because nobody can be asked. */
	readonly onRequest?: (request: ApprovalRequest) => void;
};

/** The result of an answer: it decided, it came too late (or for an unknown id), it named other arguments, or it allows more than the request offers. */
export type DecisionResult = 'resolved' | 'already-settled' | 'changed' | 'not-offered';

/** A person's answer. `by` says who gave it: `console:N` or `cli`. */
export type ApprovalDecision = {
	readonly id: string;
	readonly argumentsHash: string;
	readonly verdict: Verdict;
	readonly by: string;
};

/** Calls that wait for a person (docs/approvals.md, How approvals end). */
export type ApprovalQueue = {
	readonly ask: Ask;
	/** The first answer wins; later ones answer `already-settled`. */
	readonly answer: (answer: ApprovalDecision) => DecisionResult;
	/** The requests that wait, oldest first. */
	readonly pending: () => readonly ApprovalRequest[];
	/** The ids of what was put before a person in the last hour, settled ones included. */
	readonly recentIds: () => readonly string[];
	/** The outcome of a request of the last hour; undefined while it waits. */
	readonly endOf: (id: string) => ApprovalOutcome | undefined;
	/** Lets a request wait so many milliseconds in all, outside of holds, unless it may wait longer or has an end of its own. */
	readonly prolong: (id: string, milliseconds: number) => void;
	/** All of a request that waits. */
	readonly fullRequest: (id: string, masks: Masks) => FullRequest | undefined;
	/** The call of a request that waits, as a rule is made from it. */
	readonly subject: (id: string) => ProposalSubject | undefined;
	/** Counts a console that can show approvals; the returned function takes it away again. */
	readonly addConsole: () => () => void;
	/** True if a console of this gateway is attached that shows requests. */
	readonly hasConsole: () => boolean;
	/** Rules have changed: ends what they decide about now, without a person. Never rejects. */
	readonly evaluateAgain: () => Promise<void>;
	/** Cancels what matches, because its server was removed. */
	readonly withdraw: (matches: (request: ApprovalRequest) => boolean) => void;
	/** Cancels everything; later requests are cancelled at once. */
	readonly close: () => void;
};

/** More than a person can look through; a request beyond it is answered at once instead of piling up. */
export const maxPendingApprovals = 200;

/**
Opens the queue. `settings` is read at every request, so that it may be a live view of the configuration.

Without a console, `unattended: deny` answers `no_channel` at once and `hold` waits. What is waiting already goes on waiting until its deadline
when the last console closes: somebody may come back, and `sluice approvals` still answers. Under `deny` a warning says so.
A request beyond `maxPendingApprovals` ends as `no_channel`: nobody can be asked about it.
*/
export function createApprovalQueue(options: {
	readonly clock: Clock;
	/** The time of the requests, which stands still while everything is held. */
	readonly time: WaitingTime;
	readonly publish: Publish;
	readonly settings: Pick<ApprovalsConfig, 'timeoutSeconds' | 'unattended'>;
	/** True if another gateway shows the requests of this one to a person. */
	readonly hasConsoleElsewhere?: (() => boolean) | undefined;
	/** Writes the requests for other gateways. */
	readonly rows?: RequestRows<ApprovalRequest, ApprovalOutcome> | undefined;
}): ApprovalQueue {
	const {clock, settings, hasConsoleElsewhere = () => false, rows} = options;
	const recent = createRecentRequests(clock);
	const approvals = createPendingApprovals(options, (request, outcome) => {
		recent.settle(request.id, outcome);
		if (outcome.kind === 'cancelled' && details.get(request.id)?.outlives?.()) {
			rows?.leave(request);
		} else {
			rows?.end(request, outcome);
		}
	});
	const consoles = createConsoleCount();
	const details = new Map<string, Pick<AskOptions, 'fullRequest' | 'subject' | 'evaluateAgain' | 'outlives'>>();

	const askPerson: Ask = async (proposed, {signal, limit: own, unattended, id, onWaiting, onRequest, ...detail}) => {
		const limit = own ?? {kind: 'for', milliseconds: settings.timeoutSeconds * 1000};
		const node = rows?.node();
		let request: ApprovalRequest = {...proposed, ...approvals.asked({limit, node, id})};
		onRequest?.(request);
		if (approvals.isOver(signal)) {
			return approvals.refuse(request, {kind: 'withdrawn'});
		}

		const hasConsole = consoles.count() > 0 || hasConsoleElsewhere();
		const channel = channelFor({hasConsole, pending: approvals.count(), settings});
		if (channel.kind === 'none' && unattended === undefined) {
			return approvals.refuse(request, {kind: 'unreachable', message: channel.reason});
		}

		if (rows && node !== undefined) {
			request = await approvals.prepare(request, () => rows.write(request, {...detail, signal}));
			if (approvals.isOver(signal)) {
				return approvals.refuse(request, {kind: 'withdrawn'});
			}
		}

		recent.add(request.id);
		details.set(request.id, detail);
		const ended = approvals.wait(request, {limit, signal});
		onWaiting?.(request.id);
		const outcome = await ended;
		details.delete(request.id);
		return outcome;
	};

	return {
		ask: askPerson,
		answer({id, argumentsHash, verdict, by}) {
			const request = approvals.find(id);
			const flaw = request && decisionFlaw({argumentsHash, verdict}, request);
			if (flaw) {
				return flaw;
			}

			return approvals.settle(id, {kind: 'answered', verdict, by}) ? 'resolved' : 'already-settled';
		},
		evaluateAgain: () => evaluateAll(approvals, details),
		pending: approvals.list,
		recentIds: recent.list,
		endOf: recent.endOf,
		prolong: approvals.prolong,
		fullRequest: (id, masks) => (approvals.find(id) ? details.get(id)?.fullRequest?.(masks) : undefined),
		subject: id => (approvals.find(id) ? details.get(id)?.subject?.() : undefined),
		hasConsole: () => consoles.count() > 0,
		addConsole: () => consoles.add(() => warnUnattended(approvals.list().length, options)),
		withdraw: approvals.withdraw,
		close: approvals.close,
	};
}

/** The reason that an answer does not fit its request; undefined when it does. */
export function decisionFlaw(
	{argumentsHash, verdict}: Pick<ApprovalDecision, 'argumentsHash' | 'verdict'>,
	request: ApprovalRequest,
): 'changed' | 'not-offered' | undefined {
	if (request.argumentsHash !== argumentsHash) {
		return 'changed';
	}

	return verdict.kind === 'deny' || offeredScopes(request).includes(verdict.scope) ? undefined : 'not-offered';
}

async function evaluateAll(
	{list, settle}: Pick<ReturnType<typeof createPendingApprovals>, 'list' | 'settle'>,
	details: ReadonlyMap<string, Pick<AskOptions, 'evaluateAgain'>>,
): Promise<void> {
	for (const {id} of list()) {
		const answer = await details.get(id)?.evaluateAgain?.();
		if (answer) {
			settle(id, {kind: 'answered', ...answer});
		}
	}
}

/** Counts the consoles that can show what is asked. */
function createConsoleCount() {
	const consoles = new Set<symbol>();
	return {
		count: () => consoles.size,
		/** The returned function takes it away again; `onLast` is called when none is left then. */
		add(onLast: () => void) {
			const mark = Symbol('console');
			consoles.add(mark);
			return () => {
				if (consoles.delete(mark) && consoles.size === 0) {
					onLast();
				}
			};
		},
	};
}

function createPendingApprovals(
	{clock, time, publish, rows}: Pick<Parameters<typeof createApprovalQueue>[0], 'clock' | 'time' | 'publish' | 'rows'>,
	settled: (request: ApprovalRequest, outcome: ApprovalOutcome) => void,
) {
	return createPendingRequests<ApprovalRequest, ApprovalEvent, ApprovalOutcome>({
		clock,
		time,
		lateMilliseconds: rows?.lateMilliseconds,
		outcomeOf: event => nextApprovalState({kind: 'pending'}, event),
		deadlinePassed: {kind: 'deadline-passed'},
		withdrawn: {kind: 'withdrawn'},
		announce: request => publish({type: 'approval.requested', ...request}),
		onDeadline(request) {
			rows?.setDeadline(request);
			publish(deadlineEvent('approval', request));
		},
		onSettled(request, outcome) {
			settled(request, outcome);
			publish(settledEvent(request, outcome));
		},
	});
}

/** The event of an end. */
export function settledEvent(
	{
		id,
		server,
		tool,
		node,
		askedAt,
		origin,
	}: Pick<ApprovalRequest, 'id' | 'server' | 'tool' | 'node' | 'askedAt'> & Partial<Pick<ApprovalRequest, 'origin'>>,
	outcome: ApprovalOutcome,
): GatewayEventBody {
	const message = 'message' in outcome && outcome.message ? {message: safeText(outcome.message)} : {};
	return {
		type: 'approval.settled',
		id,
		server,
		tool,
		...(node !== undefined && {node}),
		...(askedAt && {askedAt}),
		outcome: outcome.kind,
		...('scope' in outcome ? {scope: outcome.scope} : {}),
		...('by' in outcome ? {by: outcome.by} : {}),
		...message,
		...(origin && {origin}),
	};
}

/** True if anybody can be asked now. */
function channelFor(now: {
	readonly hasConsole: boolean;
	readonly pending: number;
	readonly settings: Pick<ApprovalsConfig, 'unattended'>;
}): {readonly kind: 'open'} | {readonly kind: 'none'; readonly reason: string} {
	if (now.pending >= maxPendingApprovals) {
		return {kind: 'none', reason: `${maxPendingApprovals} other approvals are already waiting`};
	}

	return !now.hasConsole && now.settings.unattended === 'deny'
		? {kind: 'none', reason: 'No dashboard is open, and `approvals.unattended` is deny'}
		: {kind: 'open'};
}

/** Says that nobody looks on any more at what waits. */
function warnUnattended(
	waiting: number,
	{publish, settings, hasConsoleElsewhere}: Parameters<typeof createApprovalQueue>[0],
): void {
	if (waiting > 0 && settings.unattended === 'deny' && !hasConsoleElsewhere?.()) {
		const text = `The last console closed while ${waiting} approvals were waiting. Run \`sluice approvals list\` to answer them before they time out`;
		publish({type: 'log', level: 'warning', area: 'approvals', text});
	}
}
