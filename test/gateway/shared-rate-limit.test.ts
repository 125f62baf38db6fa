import {expect, test} from 'vitest';
import {inDatabase} from '../helpers/database-journal.ts';
import {administer, hasPostgres} from '../helpers/postgres-server.ts';
import {type RunningGateway, runGateway} from '../helpers/running-gateway.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test.skipIf(!hasPostgres)(
	'two gateways on one journal let through rate_limit requests of a route together',
	async () => {
		const {yaml, url, schema, surroundings} = await inDatabase();
		const open = (node: string) =>
			runGateway(
				yaml
					.replace('pool: 3', `node: ${node}, pool: 2`)
					.replace('    port: 0', '    port: 0\n    rate_limit: 20')
					.replace('INSECURE_NO_AUTH', 'the secret of a sender'),
				temporaryDirectory(),
				surroundings,
			);
		const gateways = [await open('web-1'), await open('web-2')];
		let sent = 0;
		const post = async ({gateway}: RunningGateway, secret: string) => {
			const headers = {'x-gitlab-token': secret, 'x-gitlab-event-uuid': `event-${sent++}`};
			const answer = await fetch(`${gateway.webhookUrl()}/webhooks/one`, {method: 'POST', headers, body: '{"x":1}'});
			return {status: answer.status, retryAfter: Number(answer.headers.get('retry-after'))};
		};

		const round = async (secret: string) =>
			(
				await Promise.all(Array.from({length: 30}, () => Promise.all(gateways.map(gateway => post(gateway, secret)))))
			).flat();
		const unsigned = await round('of somebody else');
		expect(new Set(unsigned.map(({status}) => status))).toEqual(new Set([401]));
		const signed = await round('the secret of a sender');
		const refused = signed.filter(({status}) => status === 429);
		expect(signed.filter(({status}) => status === 202)).toHaveLength(20);
		expect(refused).toHaveLength(40);
		expect(Math.min(...refused.map(({retryAfter}) => retryAfter))).toBeGreaterThan(0);
		expect(Math.max(...refused.map(({retryAfter}) => retryAfter))).toBeLessThanOrEqual(60);
		const accepted = await administer(url, `SELECT 1 FROM ${schema}.events WHERE outcome = 'accepted'`);
		expect(accepted).toHaveLength(20);
	},
);
