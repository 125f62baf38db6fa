import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Clock} from '../util/clock.ts';
import {type DemoCallTool, startDemoClient} from './demo-client.ts';
import {demoConfig, demoEnvironment} from './demo-config.ts';
import {startDemoHttpServer} from './demo-http-server.ts';
import {startDemoLoginServer} from './demo-login-server.ts';
import {startDemoSender} from './demo-sender.ts';

/** A demo: a temporary state directory and simulated outside services. */
export type Demo = {
	/** The state directory to start a gateway on. */
	readonly root: string;
	/** Starts deliveries and calls. Call it once the gateway listens; without a URL there are only calls. */
	readonly startTraffic: (gateway: {readonly webhookUrl: string | null; readonly callTool: DemoCallTool}) => void;
	/** Stops deliveries and calls. Call it before the gateway stops. */
	readonly stopTraffic: () => Promise<void>;
	/** Stops everything and removes the state directory. Call it after the gateway has stopped. */
	readonly close: () => Promise<void>;
};

/** Writes the state directory of a demo and starts its tool servers over HTTP. `stdioServer` is the command of the other one. */
export async function prepareDemo(options: {
	readonly clock: Clock;
	readonly stdioServer: {readonly command: string; readonly args: readonly string[]};
}): Promise<Demo> {
	const {clock, stdioServer} = options;
	const secret = randomBytes(32).toString('base64url');
	const weather = await startDemoHttpServer(clock);
	const library = await startDemoLoginServer(clock);
	// Made with rights for the owner alone.
	const root = await mkdtemp(join(tmpdir(), 'sluice-demo-'));
	// Also when the person does not wait for the end.
	const removeNow = () => rmSync(root, {recursive: true, force: true});
	process.on('exit', removeNow);
	const config = demoConfig({...stdioServer, weatherUrl: weather.url, libraryUrl: library.url});
	await writeFile(join(root, 'config.yaml'), config, {mode: 0o600});
	await writeFile(join(root, '.env'), demoEnvironment(secret), {mode: 0o600});

	let traffic: ReadonlyArray<{readonly stop: () => Promise<void>}> = [];
	const stopTraffic = async () => {
		const running = traffic;
		traffic = [];
		await Promise.all(running.map(part => part.stop()));
	};

	return {
		root,
		startTraffic({webhookUrl, callTool}) {
			if (traffic.length === 0) {
				const sender = webhookUrl === null ? [] : [startDemoSender({clock, webhookUrl, secret})];
				traffic = [startDemoClient({clock, callTool}), ...sender];
			}
		},
		stopTraffic,
		async close() {
			await stopTraffic();
			await Promise.all([weather.close(), library.close()]);
			await rm(root, {recursive: true, force: true});
			process.off('exit', removeNow);
		},
	};
}
