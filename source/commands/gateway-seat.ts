import {type Ground} from '../gateway/foundation.ts';
import {type OrderTargets} from '../gateway/orders/order-targets.ts';
import {type Command} from '../state/command.ts';
import {createGatewayProcess, type GatewayProcess} from './gateway-process.ts';

/** The gateway behind the window; the demo takes the place of an empty one. */
export type GatewaySeat = {
	readonly restart: (mode: 'normal' | 'demo') => void;
	readonly send: (command: Command, onEmpty: () => void) => void;
	readonly stop: (reason: string) => Promise<void>;
};

/** Prepares the seat; it is empty before `restart`. A gateway that does not start is told to `onFailure`. */
export function createGatewaySeat(
	ground: Ground,
	options: {
		/** Whether the person at the window may decide. A window that only looks is no console (spec/decisions.md, D7). */
		readonly console: 'deciding' | 'looking';
		readonly leave: OrderTargets['leave'];
		readonly onFailure: (error: unknown) => void;
	},
): GatewaySeat {
	let current: GatewayProcess | undefined;
	let moves: Promise<void> = Promise.resolve();
	const change = async (mode: 'normal' | 'demo') => {
		await current?.stop('the demo takes its place');
		current = createGatewayProcess(ground, {mode, leave: options.leave});
		await current.start();
		if (options.console === 'deciding') {
			current.gateway()?.attachConsole();
		}
	};

	return {
		restart(mode) {
			moves = moves.then(() => change(mode)).catch(options.onFailure);
		},
		send(command, onEmpty) {
			const gateway = current?.gateway();
			if (gateway) {
				gateway.send(command);
			} else {
				onEmpty();
			}
		},
		async stop(reason) {
			await moves;
			await current?.stop(reason);
		},
	};
}
