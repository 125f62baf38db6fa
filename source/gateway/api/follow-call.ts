import {type AnsweredJson, type ApprovalEndJson} from '../../state/json/approval.ts';
import {type Timer} from '../../util/clock.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** An allowed call that neither starts nor ends is watched so long; it may wait for its turn much longer. */
const startMilliseconds = 2000;

/** A call that started is watched so long: its server may have been woken, and offer other tools. */
const sendMilliseconds = 300;

/** Allows a request of this gateway, and says so if its call ends without being sent, as after a change of its tool. */
export async function followingCall(
	approvalId: string,
	context: Pick<ProfileContext, 'eventBus' | 'clock'>,
	allow: () => Promise<AnsweredJson>,
): Promise<AnsweredJson> {
	const call = followCall(approvalId, context);
	try {
		const answered = await allow();
		return answered.answer === 'resolved' ? {...answered, end: await call.unsent()} : answered;
	} finally {
		call.close();
	}
}

/** Follows the call behind a request from now on; the owner must call `close`. */
function followCall(approvalId: string, {eventBus, clock}: Pick<ProfileContext, 'eventBus' | 'clock'>) {
	const over = Promise.withResolvers<ApprovalEndJson | null>();
	const pass = () => over.resolve(null);
	let stage: 'waiting' | 'started' = 'waiting';
	let timer: Timer | undefined;
	const close = eventBus.listen(event => {
		if (!('approvalId' in event) || event.approvalId !== approvalId) {
			return;
		}

		if (event.type === 'tool.finished') {
			const isUnsent = stage === 'waiting' || event.outcome === 'cancelled' || event.code === 'unknown_tool';
			over.resolve(isUnsent ? unsentEnd(event.summary) : null);
			return;
		}

		stage = 'started';
		timer?.cancel();
		timer = clock.after(sendMilliseconds, pass);
	});
	return {
		/** The end of a call that was not sent; null once it was, or while it waits for its turn. */
		async unsent(): Promise<ApprovalEndJson | null> {
			timer ??= clock.after(startMilliseconds, pass);
			return over.promise;
		},
		close() {
			timer?.cancel();
			close();
		},
	};
}

function unsentEnd(summary: string | undefined): ApprovalEndJson {
	return {outcome: 'cancelled', scope: null, by: null, message: summary ?? null};
}
