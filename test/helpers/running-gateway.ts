import {writeFileSync} from 'node:fs';
import {onTestFinished} from 'vitest';
import {readEnvironment} from '../../source/config/environment.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../source/config/state-paths.ts';
import {type Gateway, startGateway} from '../../source/gateway.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {createHall} from '../../source/state/hall.ts';
import {cleanTexts} from '../../source/util/clean-texts.ts';
import {systemClock} from '../../source/util/clock.ts';
import {createRedactor} from '../../source/util/redact.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A real gateway of this process on a directory of its own. */
export type RunningGateway = {
	readonly gateway: Gateway;
	readonly paths: StatePaths;
	readonly events: GatewayEvent[];
	/** Resolves with the first event, past or future, that the predicate takes. Rejects after ten seconds. */
	readonly eventWhere: (matches: (event: GatewayEvent) => boolean) => Promise<GatewayEvent>;
	readonly writeConfig: (yaml: string) => void;
};

/** Starts a gateway on `config.yaml` with this text; it is stopped when the test ends. */
export async function runGateway(
	yaml: string,
	root = temporaryDirectory(),
	variables: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> {
	// Keys of whoever runs the tests must not make runs ask a model.
	const environment = {...readEnvironment(), variables: {PATH: process.env['PATH'] ?? '', ...variables}};
	const paths = statePaths({root, profile: defaultProfile, runtimeDirectory: environment.runtimeDirectory});
	const redactor = createRedactor();
	const hall = createHall({clock: systemClock, clean: event => cleanTexts(event, redactor.clean)});
	const events: GatewayEvent[] = [];
	hall.listen(event => events.push(event));
	const writeConfig = (text: string) => writeFileSync(paths.config, text);
	writeConfig(yaml);
	const ground = {paths, environment, clock: systemClock, hall, redactor, version: 'test'};
	const gateway = await startGateway(ground, {mode: 'normal', leave: () => undefined});
	onTestFinished(() => gateway.stop('the test ended'));
	return {
		gateway,
		paths,
		events,
		writeConfig,
		eventWhere: matches =>
			new Promise((resolve, reject) => {
				const past = events.find(matches);
				if (past) {
					resolve(past);
					return;
				}

				const timer = setTimeout(() => {
					end();
					reject(new Error(`No such event among: ${JSON.stringify(events.slice(-20), null, 1)}`));
				}, 10_000);
				const end = hall.listen(event => {
					if (matches(event)) {
						clearTimeout(timer);
						end();
						resolve(event);
					}
				});
			}),
	};
}
