import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type CommandFlags} from '../../source/commands/cli/command.ts';
import {loadRoutes} from '../../source/commands/webhook/route-registry.ts';
import {openSession} from '../../source/commands/cli/session.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openContext} from './command-fixture.ts';

const flags = {demo: false, dashboard: 'never', readOnly: true, ascii: true} as const;

/** A state directory with these routes and subscriptions, and a way to run commands on it. */
export function openState(
	webhook: object = {},
	subscriptions?: object | string,
	controlSocket?: string,
): {
	readonly home: string;
	readonly stored: () => Record<string, Record<string, unknown>>;
	readonly run: (
		command: (
			context: ReturnType<typeof openContext>['context'],
			open: () => ReturnType<typeof loadRoutes>,
		) => Promise<number>,
		words: readonly string[],
		typed?: CommandFlags,
	) => Promise<{code: number; stdout: string; stderr: string}>;
} {
	const home = temporaryDirectory();
	chmodSync(home, 0o700);
	const config = {platforms: {webhook: {enabled: true, port: 8655, ...webhook}}};
	writeFileSync(join(home, 'config.yaml'), JSON.stringify(config));
	const file = join(home, 'webhook_subscriptions.json');
	if (subscriptions !== undefined) {
		writeFileSync(file, typeof subscriptions === 'string' ? subscriptions : JSON.stringify(subscriptions));
	}

	return {
		home,
		stored: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}),
		async run(command, words, typed = {}) {
			const {context, stdout, stderr} = openContext({arguments: words, flags: typed, controlSocket});
			const session = openSession({...flags, home}, '0.0.0');
			const code = await command(context, () => loadRoutes(session));
			return {code, stdout: stdout(), stderr: stderr()};
		},
	};
}
