import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {numberLike, text} from '../values/fields.ts';
import {mapping} from './settings-schema.ts';

/** Percent of a limit at which a notice says that it is near. */
export const defaultAskAt = 80;

const whole = (description: string) => numberLike(description, {fallback: undefined, minimum: 0, whole: true});
const amount = (description: string) => numberLike(description, {fallback: undefined, minimum: 0});

const tokensAndUsd = () => ({
	tokens: whole('Tokens, input and output together.'),
	usd: amount('US dollars, by `prices`; a model without a price costs nothing here.'),
});

const dayAmounts = () =>
	mapping(z.strictObject({...tokensAndUsd(), runs: whole('Runs that ask a model.')}), 'Limits of a day.').optional();

const named = <Entry extends z.ZodObject>(name: string, description: string, entry: Entry) =>
	field(z.record(z.string(), mapping(entry, `Limits of this ${name}.`)), {
		description,
		allowed: `a mapping of ${name} names to limits`,
	}).optional();

/** `limits` in config.yaml. */
export const limitsSchema = lazy(() =>
	mapping(
		z.strictObject({
			run: mapping(
				z.strictObject({
					...tokensAndUsd(),
					tool_calls: whole('Calls of tools.'),
					minutes: numberLike('Minutes, without the time in which it waits for a person or a slot.', {
						fallback: undefined,
						minimum: 'above 0',
					}),
				}),
				'Limits of each run.',
			).optional(),
			day: dayAmounts(),
			routes: named('route', 'Limits of routes, by name.', z.strictObject({day: dayAmounts()})),
			jobs: named('job', 'Limits of cron jobs, by name.', z.strictObject({day: dayAmounts()})),
			clients: named(
				'client',
				'Limits of clients of the endpoint, by name.',
				z.strictObject({
					day: mapping(z.strictObject({calls: whole('Calls of tools.')}), 'Limits of a day.').optional(),
				}),
			),
			ask_at: numberLike('Percent of a limit at which a notice says that it is near.', {
				fallback: defaultAskAt,
				minimum: 1,
				maximum: 100,
			}),
			time_zone: text('Time zone of the days. Default: UTC.', 'the name of a time zone, such as Europe/Berlin'),
			prices: field(
				z.record(
					z.string(),
					mapping(
						z.strictObject({input: amount('Of the request.'), output: amount('Of the answer.')}),
						'Price of a model.',
					),
				),
				{
					description: 'Prices of models in US dollars per million tokens, by the name of the model.',
					allowed: 'a mapping of model names to prices',
				},
			).optional(),
		}),
		'How much runs may spend, and clients of the endpoint may call.',
	),
);
