import {type BreakerOutcome} from './breaker.ts';
import {callFailure} from './call-failure.ts';
import {type CallContent, type RequestOptions, type ServerRequest} from '../connection.ts';
import {type Session} from '../session/session.ts';
import {type CallFailure, decideRetry, sessionExpired} from './session-expiry.ts';
import {type SessionManager} from '../session/session-manager.ts';

/** Asks once, and once more on a new session when the first was lost and the request changes nothing. Rejects with Problem. */
export async function callWithRetry(
	request: ServerRequest,
	options: RequestOptions & {
		readonly session: Pick<SessionManager, 'current' | 'disconnected' | 'loginNeeded' | 'markHealthy'>;
		/** Told how each try ended, for the breaker. */
		readonly settle: (outcome: BreakerOutcome) => void;
	},
): Promise<CallContent> {
	const {session: manager, settle, signal} = options;
	for (let replayed = false; ; replayed = true) {
		const session = await manager.current(signal);
		options.beforeSend?.();
		const sessionId = session.sessionId();
		try {
			const answer = await session.ask(request, options);
			settle('answered');
			manager.markHealthy();
			return answer;
		} catch (error) {
			signal.throwIfAborted();
			const failure = callFailure(error, sessionId);
			settle(breakerOutcome(failure));
			dropSession(manager, session, failure);
			const decision = decideRetry(failure, {readOnly: isReadOnly(request), replayed});
			if (decision.kind === 'reject') {
				throw decision.problem;
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
		case 'unreadable':
			return 'answered';
		case 'expired':
			return 'unknown';
		case 'lost':
		case 'never-sent':
			return 'transport-failure';
	}
}

function dropSession(
	manager: Pick<SessionManager, 'disconnected' | 'loginNeeded'>,
	session: Session,
	failure: CallFailure,
): void {
	switch (failure.kind) {
		case 'refused':
			if (failure.problem.code === 'login_required') {
				manager.loginNeeded(session, failure.problem);
			}

			return;
		case 'unreadable':
			return;
		case 'expired':
			manager.disconnected(session, sessionExpired());
			return;
		case 'lost':
		case 'never-sent':
			manager.disconnected(session, failure.problem);
	}
}
