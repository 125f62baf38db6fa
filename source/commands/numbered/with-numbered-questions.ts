import {type GatewayProcess} from '../gateway-process.ts';
import {type NumberedQuestionsOptions} from './numbered-questions.ts';

/** A gateway whose terminal is a console: what waits for a person is asked there, from the moment it runs until it stops (spec/decisions.md, D7). */
export function withNumberedQuestions(
	gateway: GatewayProcess,
	terminal: Pick<NumberedQuestionsOptions, 'clock' | 'input' | 'write'>,
): GatewayProcess {
	let close: (() => void) | undefined;
	return {
		...gateway,
		async start() {
			const {openNumberedQuestions} = await import('./numbered-questions.ts');
			// Before the start: what is asked during it must not be missed.
			close = openNumberedQuestions({
				...terminal,
				hall: gateway.hall,
				send: command => gateway.gateway()?.send(command),
			});
			await gateway.start();
			gateway.gateway()?.attachConsole();
		},
		async stop(reason) {
			close?.();
			await gateway.stop(reason);
		},
	};
}
