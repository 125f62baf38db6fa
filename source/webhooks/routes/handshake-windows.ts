import {whenAborted} from '../../util/abort-signal.ts';
import {type Clock, openDeadline, untilAborted} from '../../util/clock.ts';
import {errorText, Problem} from '../../util/problem.ts';
import {orderedId} from '../../util/random-id.ts';
import {shownName} from '../../util/safe-text.ts';
import {type Confirmation, type Outcome} from '../http/outcome.ts';
import {type FetchText} from '../signature/key-sets.ts';
import {type PreparedRoute} from './prepared-route.ts';

/** A confirmation that waits for a person. */
export type ConfirmationProposal = {
	readonly id: string;
	readonly route: string;
	readonly topic: string;
	/** The address that a yes fetches. */
	readonly url: string;
};

/** The end of a window: a confirmation, or the end of its time. */
export type HandshakeEnd =
	| {readonly kind: 'proposed'; readonly proposal: ConfirmationProposal}
	| {readonly kind: 'closed'};

/** The end of a proposal that a person agreed to. `unknown`: it does not wait any more. */
export type ConfirmationEnd =
	| {readonly kind: 'confirmed' | 'unknown'}
	| {readonly kind: 'failed'; readonly reason: string};

/** The windows in which a message may ask for a fetch, each opened by a person for one route (docs/providers.md, Handshakes). */
export type HandshakeWindows = {
	/** Opens the window of a route for 10 minutes, until a confirmation comes or the caller leaves. Rejects with `unknown_route` or `bad_usage`. */
	readonly open: (route: string, options: {readonly signal: AbortSignal}) => Promise<HandshakeEnd>;
	/** Makes a proposal of a verified confirmation; the refusal when the window of the route is closed. */
	readonly offer: (route: string, confirmation: Confirmation) => Outcome | undefined;
	/** Fetches the address of a proposal, once. Never rejects. */
	readonly confirm: (id: string, options: {readonly signal: AbortSignal}) => Promise<ConfirmationEnd>;
};

/** The length of a window, and of the time in which a proposal can be answered. */
export const handshakeMilliseconds = 600_000;
const fetchMilliseconds = 5000;

/** Creates the windows of a gateway, all closed. */
export function createHandshakeWindows({
	clock,
	fetchText,
	findRoute,
}: {
	readonly clock: Clock;
	readonly fetchText: FetchText;
	readonly findRoute: (name: string) => PreparedRoute | undefined;
}): HandshakeWindows {
	const open = new Map<string, (end: HandshakeEnd) => void>();
	const proposals = new Map<string, ConfirmationProposal>();
	return {
		async open(route, {signal}) {
			assertConfirmed(route, findRoute(route));
			open.get(route)?.({kind: 'closed'});
			return new Promise(resolve => {
				const finish = (end: HandshakeEnd) => {
					timer.cancel();
					endWaiting();
					if (open.get(route) === finish) {
						open.delete(route);
					}

					resolve(end);
				};

				const close = () => finish({kind: 'closed'});
				const timer = clock.after(handshakeMilliseconds, close);
				const endWaiting = whenAborted(signal, close);
				open.set(route, finish);
				if (signal.aborted) {
					close();
				}
			});
		},
		offer(route, {topic, url}) {
			const finish = open.get(route);
			if (!finish) {
				return refuseConfirmation(route);
			}

			const proposal = {id: orderedId(clock.now()), route, topic, url};
			proposals.set(proposal.id, proposal);
			clock.after(handshakeMilliseconds, () => proposals.delete(proposal.id));
			finish({kind: 'proposed', proposal});
			return undefined;
		},
		async confirm(id, {signal}) {
			const proposal = proposals.get(id);
			if (!proposal) {
				return {kind: 'unknown'};
			}

			proposals.delete(id);
			return fetchConfirmation(proposal, {clock, fetchText, signal});
		},
	};
}

/** The refusal of a confirmation that nobody waits for; its row says what to do. */
export function refuseConfirmation(route: string): Outcome {
	const command = `sluice webhook handshake ${shownName(route)}`;
	return {
		kind: 'challenge-refused',
		reason: `No handshake is open for this route. Run \`${command}\`, then request the confirmation again`,
	};
}

function assertConfirmed(name: string, route: PreparedRoute | undefined): void {
	if (!route) {
		throw new Problem('unknown_route', {message: `No route is named ${shownName(name)}`});
	}

	if (route.config.challenge?.kind !== 'sns') {
		const message = `The sender of ${shownName(name)} needs no handshake: a route with \`signature: sns\` does`;
		throw new Problem('bad_usage', {message});
	}
}

async function fetchConfirmation(
	{url}: ConfirmationProposal,
	{clock, fetchText, signal}: {readonly clock: Clock; readonly fetchText: FetchText; readonly signal: AbortSignal},
): Promise<ConfirmationEnd> {
	const reason = () => new Error('The address did not answer within 5 seconds');
	const deadline = openDeadline(clock, fetchMilliseconds, {signal, reason});
	try {
		await untilAborted(fetchText(url, {signal: deadline.signal}), deadline.signal);
		return {kind: 'confirmed'};
	} catch (error) {
		return {kind: 'failed', reason: errorText(error)};
	} finally {
		deadline.cancel();
	}
}
