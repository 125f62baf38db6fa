import {type BreakerOutcome} from './breaker.ts';
import {callFailure} from './call-failure.ts';
import {type CallContent, type RequestOptions, type ServerRequest} from './connection.ts';
import {type Session} from './session.ts';
import {type CallFailure, rescueCall, sessionExpired} from './session-expiry.ts';
import {type SessionKeeper} from './session-keeper.ts';

/** Asks once, and once more on a new session when the first was lost and the request changes nothing. Rejects with Problem. */
export async function askWithRescue(
	request: ServerRequest,
	options: RequestOptions & {
		readonly keeper: Pick<SessionKeeper, 'live' | 'lost' | 'loginNeeded' | 'proven'>;
		/** Told how each try ended, for the breaker. */
		readonly settle: (outcome: BreakerOutcome) => void;
	},
): Promise<CallContent> {
	const {keeper, settle, signal} = options;
	for (let replayed = false; ; replayed = true) {
		const session = await keeper.live(signal);
		options.beforeSend?.();
		const sessionId = session.sessionId();
		try {
			const answer = await session.ask(request, options);
			settle('answered');
			keeper.proven();
			return answer;
		} catch (error) {
			signal.throwIfAborted();
			const failure = callFailure(error, sessionId);
			settle(breakerOutcome(failure));
			dropSession(keeper, session, failure);
			const rescue = rescueCall(failure, {readOnly: isReadOnly(request), replayed});
			if (rescue.kind === 'reject') {
				throw rescue.problem;
			}
		}
	}
}

function isReadOnly(request: ServerRequest): boolean {
	return request.kind !== 'tool' || request.readOnly;
}

function breakerOutcome(failure: CallFailure): BreakerOutcome {
	switch (failure.kind) {
		case 'refused':
			return 'answered';
		case 'expired':
			return 'unknown';
		case 'lost':
		case 'never-sent':
			return 'transport-failure';
	}
}

function dropSession(
	keeper: Pick<SessionKeeper, 'lost' | 'loginNeeded'>,
	session: Session,
	failure: CallFailure,
): void {
	switch (failure.kind) {
		case 'refused':
			if (failure.problem.code === 'login_required') {
				keeper.loginNeeded(session, failure.problem);
			}

			return;
		case 'expired':
			keeper.lost(session, sessionExpired());
			return;
		case 'lost':
		case 'never-sent':
			keeper.lost(session, failure.problem);
	}
}
