import {type Ground} from '../gateway/foundation.ts';
import {type Gateway} from '../gateway.ts';
import {statePaths, defaultProfile} from '../config/state-paths.ts';
import {type OrderTargets} from '../gateway/orders/order-targets.ts';
import {demoServerProgram} from './demo-server-program.ts';

/** A gateway of this process, demo included. The rooms behind it are loaded by `start`, so that a window can be there first. */
export type GatewayProcess = {
	readonly hall: Ground['hall'];
	readonly start: () => Promise<void>;
	readonly stop: (reason: string) => Promise<void>;
	/** Undefined until `start` has resolved. */
	readonly gateway: () => Gateway | undefined;
};

type ProcessOptions = {readonly mode: 'normal' | 'demo'; readonly leave: OrderTargets['leave']};

/** Prepares a gateway; nothing runs before `start`. */
export function createGatewayProcess(ground: Ground, options: ProcessOptions): GatewayProcess {
	let gateway: Gateway | undefined;
	let closeDemo: {readonly stopTraffic: () => Promise<void>; readonly close: () => Promise<void>} | undefined;

	const startDemo = async () => {
		const {prepareDemo} = await import('../demo/prepare-demo.ts');
		const demo = await prepareDemo({
			clock: ground.clock,
			stdioServer: {command: process.execPath, args: [demoServerProgram()]},
		});
		closeDemo = demo;
		return demo;
	};

	return {
		hall: ground.hall,
		gateway: () => gateway,
		async start() {
			const {startGateway} = await import('../gateway.ts');
			const demo = options.mode === 'demo' ? await startDemo() : undefined;
			const {runtimeDirectory} = ground.environment;
			const paths = demo ? statePaths({root: demo.root, profile: defaultProfile, runtimeDirectory}) : ground.paths;
			gateway = await startGateway({...ground, paths}, options);
			demo?.startTraffic({webhookUrl: gateway.webhookUrl(), callTool: gateway.callTool});
		},
		async stop(reason) {
			await closeDemo?.stopTraffic();
			await gateway?.stop(reason);
			await closeDemo?.close();
		},
	};
}
