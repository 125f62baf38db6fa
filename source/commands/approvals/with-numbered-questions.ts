import {type GatewayProcess} from '../gateway/gateway-process.ts';
import {type NumberedQuestionsOptions} from './numbered-questions.ts';

/** A gateway whose terminal is a console: what waits for a person is asked there, from the moment it runs until it stops (docs/approvals.md, How approvals end). */
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
				eventBus: gateway.eventBus,
				send: command => gateway.gateway()?.send(command),
				readWhole: query => gateway.gateway()?.readWhole(query),
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
