/*
Made from https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook and
/connectors-using (Adaptive Card in `attachments`, 28 KB a message, 429), and from the errors of a workflow's trigger
(https://learn.microsoft.com/azure/logic-apps/logic-apps-http-endpoint: 202 without a body, `sig` in the query).
*/
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {bytes, checked, insist, jsonBody, noteOtherQuery, requireMethod, requirePath} from './request-checks.ts';

const path = '/workflows/5d3bb2d1f0e94b0e9f3c8f6a7b2c1d4e/triggers/manual/paths/invoke';
const signature = 'Qm9YV1lOZVdoa3JtUkZ0bWpJc0pXZz09';
const chat = 'the channel of the workflow';

const block = z.strictObject({type: z.literal('TextBlock'), text: z.string(), wrap: z.boolean().optional()});
const body = z.strictObject({
	type: z.literal('message'),
	attachments: z
		.array(
			z.strictObject({
				contentType: z.literal('application/vnd.microsoft.card.adaptive'),
				content: z.strictObject({
					$schema: z.string().optional(),
					type: z.literal('AdaptiveCard'),
					version: z.enum(['1.2', '1.3', '1.4', '1.5']),
					body: z.array(block).min(1),
				}),
			}),
		)
		.length(1),
});

const failed = (status: number, code: string, message: string): PlatformAnswer => ({
	status,
	body: {error: {code, message}},
});
const invalid = (problem: string) => failed(400, 'TriggerInputSchemaMismatch', `The input body is invalid: ${problem}`);

/** Opens a pretended workflow that posts into one channel. */
export const openTeams: OpenPlatform = async () => {
	const served = await servePlatform({
		guard: request => {
			const isRight = request.query.get('sig') === signature;
			insist(
				isRight,
				'the signature is wrong',
				failed(401, 'DirectApiAuthorizationRequired', 'The request is not signed'),
			);
		},
		read,
		accept: () => ({status: 202, body: ''}),
		trouble: trouble => {
			switch (trouble.kind) {
				case 'rate-limited':
					return {
						...failed(429, 'WorkflowTriggerIsThrottled', 'Too many requests'),
						headers: {'retry-after': String(trouble.waitSeconds)},
					};
				case 'rejected':
					return failed(404, 'WorkflowNotFound', 'The workflow could not be found.');
				case 'server-error':
					return failed(500, 'InternalServerError', 'Encountered internal server error.');
				case 'hidden-error':
					return failed(400, 'WorkflowTriggerIsNotEnabled', 'Could not execute workflow trigger');
			}
		},
	});
	return {
		...served,
		settings: {webhook_url: `${served.baseUrl}${path}?api-version=1&sig=${signature}`},
		chatId: chat,
		otherChatId: chat,
	};
};

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	requirePath(request, path, failed(404, 'WorkflowNotFound', 'The workflow could not be found.'));
	requireMethod(request, 'POST', failed(404, 'NotFound', 'The method is POST'));
	noteOtherQuery(request, ['api-version', 'sig'], note);
	const size = bytes(request.body);
	insist(size <= 28 * 1024, `${size} bytes`, failed(413, 'RequestEntityTooLarge', 'The message is too large'));
	const {attachments} = checked(jsonBody(request, invalid), body, {refuse: invalid, note});
	const text = attachments.flatMap(({content}) => content.body.map(part => part.text)).join('\n\n');
	return {chat, text};
}
