import {onTestFinished} from 'vitest';
import {readConfigText} from '../../source/config/read/load-config.ts';
import {createDeliver} from '../../source/delivery/deliver.ts';
import {openPlatforms, type Platforms} from '../../source/delivery/open-platforms.ts';
import {type JsonObject} from '../../source/util/json-text.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';

/** A delivery to the platforms of a configuration; time stands still until a test moves it. */
export function openDelivery(options: {
	/** `platforms` as a person would write it. */
	readonly platforms: Readonly<Record<string, unknown>>;
	readonly variables?: Readonly<Record<string, string>>;
	readonly stateFile?: Readonly<Record<string, string>>;
	readonly clock?: ReturnType<typeof createFakeClock>;
}) {
	const {clock = createFakeClock(), variables = {}} = options;
	const {publish, events, ofType} = recordEvents();
	const learnt = new Set<string>();
	const giving = new AbortController();
	const text = JSON.stringify({platforms: options.platforms});
	const {config} = readConfigText('config.yaml', text, () => undefined);
	const platforms: Platforms = openPlatforms({
		clock,
		publish,
		configured: () => config.platforms,
		scope: {
			variables: name => variables[name],
			expand: written => written.replaceAll(/\$\{(\w+)\}/gu, (reference, name: string) => variables[name] ?? reference),
		},
		learn: secret => void learnt.add(secret),
		learnPassing: secret => void learnt.add(secret),
		stateFile: async () => options.stateFile ?? {},
	});
	onTestFinished(platforms.close);
	const deliver = createDeliver({clock, publish, platforms});
	return {
		clock,
		config,
		platforms,
		events,
		ofType,
		learnt,
		giveUp: (reason: Error) => giving.abort(reason),
		deliver: (target: string, text: string, extra: JsonObject = {}, route = 'builds') =>
			deliver({target, text, extra, deliveryId: 'delivery-1', route}, {signal: giving.signal}),
	};
}
