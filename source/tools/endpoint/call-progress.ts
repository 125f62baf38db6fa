import {type ProgressNotificationParams} from '@modelcontextprotocol/server';
import {type CallProgress} from '../../mcp/connection.ts';
import {type Clock, type Timer} from '../../util/clock.ts';
import {shownId} from '../../util/id-part.ts';
import {type CallOptions} from '../validate-call.ts';
import {endpointLimits} from './limits.ts';

/** The progress of one call at the endpoint. */
type ProgressReport = {
	/** The part of the call's options that reports its progress and its waits. */
	readonly watch: Required<Pick<CallOptions, 'onProgress' | 'onAsking' | 'onHeld' | 'onQuestion'>>;
	/** The call is over. */
	readonly close: () => void;
};

type ProgressToken = NonNullable<ProgressNotificationParams['progressToken']>;

/** A client has no use for more, and a slow reader must not fill the memory. */
const maxServerMessages = 1000;
/** The rise of the progress from one message of a wait to the next: the server's own steps are larger. */
const waitStep = 1e-6;

/**
Notifies a client of the progress of its call: the server's, as far as it increases, and while the call waits for a person the reason of the wait, at
once and every 15 s, so that the client's time limit begins again (docs/endpoint.md, Calls that wait).
*/
export function openProgressReport(
	progressToken: ProgressToken,
	{clock, notify}: {readonly clock: Clock; readonly notify: (params: ProgressNotificationParams) => void},
): ProgressReport {
	let last: number | undefined;
	let serverMessages = 0;
	let timer: Timer | undefined;

	const send = (progress: CallProgress) => {
		last = progress.progress;
		notify({progressToken, ...progress});
	};

	const remind = (message: string) => {
		send({progress: last === undefined ? 0 : above(last), message});
		timer = clock.after(endpointLimits.keepStreamMilliseconds, () => remind(message));
	};

	const note = (isWaiting: boolean, message: string) => {
		timer?.cancel();
		timer = undefined;
		if (isWaiting) {
			remind(message);
		}
	};

	return {
		watch: {
			onProgress(progress) {
				if ((last === undefined || progress.progress > last) && serverMessages < maxServerMessages) {
					serverMessages++;
					send(progress);
				}
			},
			onAsking: (asking, id = '') => note(asking, `Waiting for a person to allow this call (approval ${shownId(id)})`),
			onHeld: held => note(held, 'Waiting until a person releases the hold of this gateway'),
			onQuestion: isOpen => note(isOpen, 'Waiting for a person to answer a question of the server'),
		},
		close: () => note(false, ''),
	};
}

/** A number that is larger by the step, or by the least that a double of this size can hold. */
function above(value: number): number {
	return value + Math.max(waitStep, Math.abs(value) * Number.EPSILON);
}
