import {writeFileSync} from 'node:fs';
import {onTestFinished} from 'vitest';
import {readEnvironment} from '../../source/config/read/environment.ts';
import {defaultProfile, type StatePaths, statePaths} from '../../source/config/read/state-paths.ts';
import {type Gateway, startGateway} from '../../source/gateway/gateway.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {createEventBus} from '../../source/state/event-bus.ts';
import {redactTexts} from '../../source/util/redact-texts.ts';
import {type Clock, systemClock} from '../../source/util/clock.ts';
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

/** What a gateway finds around it. */
export type GatewaySurroundings = {
	readonly variables?: Readonly<Record<string, string>>;
	/** Default: that of the machine. */
	readonly clock?: Clock;
};

/** Starts a gateway on `config.yaml` with this text; it is stopped when the test ends. */
export async function runGateway(
	yaml: string,
	root = temporaryDirectory(),
	{variables = {}, clock = systemClock}: GatewaySurroundings = {},
): Promise<RunningGateway> {
	// Keys of whoever runs the tests must not make runs ask a model.
	const environment = {...readEnvironment(), variables: {PATH: process.env['PATH'] ?? '', ...variables}};
	const paths = statePaths({root, profile: defaultProfile, runtimeDirectory: environment.runtimeDirectory});
	const redactor = createRedactor();
	const eventBus = createEventBus({clock, redact: event => redactTexts(event, redactor.redact)});
	const events: GatewayEvent[] = [];
	eventBus.listen(event => events.push(event));
	const writeConfig = (text: string) => writeFileSync(paths.config, text);
	writeConfig(yaml);
	const runtime = {paths, environment, clock, eventBus, redactor, version: 'test'};
	const gateway = await startGateway(runtime, {mode: 'normal', leave: () => undefined});
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
				const end = eventBus.listen(event => {
					if (matches(event)) {
						clearTimeout(timer);
						end();
						resolve(event);
					}
				});
			}),
	};
}
