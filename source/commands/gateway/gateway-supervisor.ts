import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type CommandTargets} from '../../gateway/command-handlers/command-targets.ts';
import {type Command, type ReadWhole} from '../../state/command.ts';
import {createGatewayProcess, type GatewayProcess} from './gateway-process.ts';

/** The gateway behind the window; the demo takes the place of an empty one. */
export type GatewaySupervisor = {
	readonly restart: (mode: 'normal' | 'demo') => void;
	readonly send: (command: Command, onEmpty: () => void) => void;
	readonly readWhole: ReadWhole;
	readonly stop: (reason: string) => Promise<void>;
};

/** Prepares the supervisor; it is empty before `restart`. A gateway that does not start is told to `onFailure`. */
export function createGatewaySupervisor(
	runtime: RuntimeContext,
	options: {
		/** Whether the person at the window may decide. A window that only looks is no console (docs/approvals.md, How approvals end). */
		readonly console: 'deciding' | 'looking';
		readonly leave: CommandTargets['leave'];
		readonly onFailure: (error: unknown) => void;
	},
): GatewaySupervisor {
	let current: GatewayProcess | undefined;
	let moves: Promise<void> = Promise.resolve();
	const change = async (mode: 'normal' | 'demo') => {
		await current?.stop('the demo takes its place');
		current = createGatewayProcess(runtime, {mode, leave: options.leave});
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
		readWhole: query => current?.gateway()?.readWhole(query),
		async stop(reason) {
			await moves;
			await current?.stop(reason);
		},
	};
}
