import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type Gateway} from '../../gateway/gateway.ts';
import {statePaths, defaultProfile} from '../../config/read/state-paths.ts';
import {type CommandTargets} from '../../gateway/command-handlers/command-targets.ts';
import {demoServerProgram} from './demo-server-program.ts';

/** A gateway of this process, demo included. The rooms behind it are loaded by `start`, so that a window can be there first. */
export type GatewayProcess = {
	readonly eventBus: RuntimeContext['eventBus'];
	readonly start: () => Promise<void>;
	readonly stop: (reason: string) => Promise<void>;
	/** Undefined until `start` has resolved. */
	readonly gateway: () => Gateway | undefined;
};

type ProcessOptions = {readonly mode: 'normal' | 'demo'; readonly leave: CommandTargets['leave']};

/** Prepares a gateway; nothing runs before `start`. */
export function createGatewayProcess(runtime: RuntimeContext, options: ProcessOptions): GatewayProcess {
	let gateway: Gateway | undefined;
	let closeDemo: {readonly stopTraffic: () => Promise<void>; readonly close: () => Promise<void>} | undefined;

	const startDemo = async () => {
		const {prepareDemo} = await import('../../demo/prepare-demo.ts');
		const demo = await prepareDemo({
			clock: runtime.clock,
			stdioServer: {command: process.execPath, args: [demoServerProgram()]},
		});
		closeDemo = demo;
		return demo;
	};

	return {
		eventBus: runtime.eventBus,
		gateway: () => gateway,
		async start() {
			const {startGateway} = await import('../../gateway/gateway.ts');
			const demo = options.mode === 'demo' ? await startDemo() : undefined;
			const {runtimeDirectory} = runtime.environment;
			const paths = demo ? statePaths({root: demo.root, profile: defaultProfile, runtimeDirectory}) : runtime.paths;
			gateway = await startGateway({...runtime, paths}, options);
			demo?.startTraffic({webhookUrl: gateway.webhookUrl(), callTool: gateway.callTool});
		},
		async stop(reason) {
			await closeDemo?.stopTraffic();
			await gateway?.stop(reason);
			await closeDemo?.close();
		},
	};
}
