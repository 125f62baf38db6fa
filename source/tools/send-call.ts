import {toProblem} from '../util/problem.ts';
import {type ValidatedCall, assertUnchanged, type CallOptions, type Lookup} from './validate-call.ts';
import {createProgressReport, type ProgressOptions} from './progress-report.ts';
import {failure, type ToolOutcome} from './tool-outcome.ts';
import {toolResult} from './tool-result.ts';
import {readToolOf} from './utility-tools.ts';

export type SendCallOptions = Lookup & ProgressOptions & Pick<Parameters<typeof toolResult>[1], 'saveMedia'>;

/** Asks the server of a call that has passed the approval check, and brings its answer into shape. Never rejects: errors are data. */
export function createSendCall(
	options: SendCallOptions,
): (id: string, call: ValidatedCall, callOptions: CallOptions) => Promise<ToolOutcome> {
	return async (id, call, {signal, onProgress, onAnswer}) => {
		const {server} = call.tool;
		const readTool = readToolOf(server, options.findTool);
		const progress = createProgressReport(id, options);
		try {
			signal.throwIfAborted();
			const answer = await call.connection.request(call.request, {
				signal,
				origin: call.origin,
				onProgress(told) {
					progress.note(told);
					onProgress?.(told);
				},
				beforeSend: () => assertUnchanged(call, options),
			});
			onAnswer?.(answer);
			return await toolResult(answer, {server, readTool, saveMedia: options.saveMedia});
		} catch (caught) {
			return failure(toProblem(caught, signal.aborted ? 'cancelled' : 'call_failed'), server);
		} finally {
			progress.close();
		}
	};
}
