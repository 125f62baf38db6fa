/*
Made from https://docs.github.com/en/rest/issues/comments#create-an-issue-comment (POST, 201, 404, 422),
https://docs.github.com/en/rest/using-the-rest-api/getting-started-with-the-rest-api (User-Agent, authorization),
/rate-limits-for-the-rest-api (403 with Retry-After) and
https://docs.github.com/en/graphql/reference/mutations#addcomment (what `gh pr comment` uses; errors inside a 200).
It listens on a socket file: `gh` reaches it when `config.yml` in GH_CONFIG_DIR says `http_unix_socket: <baseUrl>`.
*/
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {z} from 'zod';
import {type OpenPlatform, type ReceivedMessage} from './platform-simulator.ts';
import {type Note, type PlatformAnswer, type PlatformRequest, servePlatform} from './platform-server.ts';
import {anything, checked, codePoints, insist, jsonBody, noteOtherQuery, requireMethod} from './request-checks.ts';

const token = 'gho_16C7e42F292c6912E7710c838347Ae178B4a';
const repo = 'octocat/hello-world';
const issues = [`${repo}#7`, `${repo}#8`];

const comment = z.strictObject({body: z.string()});
const graph = z.strictObject({query: z.string(), variables: z.looseObject({}).optional(), operationName: anything});
const lookUp = z.looseObject({owner: z.string(), repo: z.string(), pr_number: z.number().int()});
const addComment = z.looseObject({
	input: z.strictObject({body: z.string(), subjectId: z.string(), clientMutationId: anything}),
});

const failed = (status: number, message: string): PlatformAnswer => ({
	status,
	body: {message, documentation_url: 'https://docs.github.com/rest', status: String(status)},
});
const notFound = failed(404, 'Not Found');
const invalid = (problem: string): PlatformAnswer => ({
	status: 422,
	body: {
		message: 'Validation Failed',
		errors: [{resource: 'IssueComment', code: 'unprocessable', field: 'data', message: problem}],
	},
});
const graphError = (type: string, message: string): PlatformAnswer => ({
	status: 200,
	body: {data: null, errors: [{type, message}]},
});

/** Opens a pretended `api.github.com` with one repository and two issues of it. */
export const openGithubComment: OpenPlatform = async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sluice-github-'));
	const rules = {
		guard: (request: PlatformRequest) => {
			const hasAgent = Boolean(request.headers['user-agent']);
			insist(hasAgent, 'no User-Agent', {status: 403, body: 'Request forbidden by administrative rules.'});
			const isRight = [`token ${token}`, `Bearer ${token}`].includes(request.headers.authorization ?? '');
			insist(isRight, 'the token is wrong', failed(401, 'Bad credentials'));
		},
		aside,
		read,
		accept: (message: ReceivedMessage, position: number, request: PlatformRequest) => {
			const url = `https://github.com/${message.chat.replace('#', '/issues/')}#issuecomment-${position}`;
			return request.path === '/graphql'
				? {status: 200, body: {data: {addComment: {commentEdge: {node: {url}}}}}}
				: {status: 201, body: {id: position, html_url: url, body: message.text}};
		},
	};
	const served = await servePlatform(
		{
			...rules,
			trouble: (trouble, request) => {
				switch (trouble.kind) {
					case 'rate-limited':
						return {
							...failed(403, 'You have exceeded a secondary rate limit.'),
							headers: {'retry-after': String(trouble.waitSeconds), 'x-ratelimit-remaining': '0'},
						};
					case 'rejected':
						return request.path === '/graphql' ? graphError('NOT_FOUND', 'Could not resolve to a node.') : notFound;
					case 'server-error':
						return failed(502, 'Server Error');
					case 'hidden-error':
						return request.path === '/graphql'
							? graphError('UNPROCESSABLE', 'Body is invalid')
							: invalid('Body is invalid');
				}
			},
		},
		join(folder, 'api.sock'),
	);
	return {
		...served,
		settings: {token},
		chatId: issues[0]!,
		otherChatId: issues[1]!,
		extra: {repo, pr_number: '7'},
		async close() {
			await served.close();
			rmSync(folder, {recursive: true, force: true});
		},
	};
};

function graphCall(request: PlatformRequest, note: Note) {
	return checked(
		jsonBody(request, () => failed(400, 'Problems parsing JSON')),
		graph,
		{
			refuse: problem => failed(400, problem),
			note,
		},
	);
}

/** `gh pr comment` first asks for the pull request's node. */
function aside(request: PlatformRequest, note: Note): PlatformAnswer | undefined {
	if (request.method === 'GET' && request.path === '/user') {
		return {status: 200, body: {login: 'octocat', id: 1}};
	}

	if (request.path !== '/graphql' || !/pullRequest\s*\(|issueOrPullRequest\s*\(/i.test(request.body)) {
		return undefined;
	}

	const {variables} = graphCall(request, note);
	const asked = checked(variables, lookUp, {refuse: problem => graphError('INVALID', problem)});
	const issue = `${asked.owner}/${asked.repo}#${asked.pr_number}`;
	insist(
		issues.includes(issue),
		`no pull request ${issue}`,
		graphError('NOT_FOUND', 'Could not resolve to a PullRequest.'),
	);
	return {
		status: 200,
		body: {data: {repository: {pullRequest: {id: issue, url: `https://github.com/${issue.replace('#', '/pull/')}`}}}},
	};
}

function read(request: PlatformRequest, note: Note): ReceivedMessage {
	if (request.path === '/graphql') {
		const {query, variables} = graphCall(request, note);
		insist(query.includes('addComment'), 'no such mutation', graphError('INVALID', 'Unknown field'));
		const {input} = checked(variables, addComment, {refuse: problem => graphError('INVALID', problem)});
		insist(
			issues.includes(input.subjectId),
			`no node ${input.subjectId}`,
			graphError('NOT_FOUND', 'Could not resolve to a node.'),
		);
		return {chat: input.subjectId, text: short(input.body)};
	}

	const found = /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/.exec(request.path);
	insist(found !== null, `${request.path}: no such path`, notFound);
	requireMethod(request, 'POST', notFound);
	noteOtherQuery(request, [], note);
	const sent = checked(
		jsonBody(request, () => failed(400, 'Problems parsing JSON')),
		comment,
		{refuse: invalid, note},
	);
	const issue = `${found[1]}#${found[2]}`;
	insist(issues.includes(issue), `no issue ${issue}`, notFound);
	return {chat: issue, text: short(sent.body)};
}

function short(text: string): string {
	insist(text.trim() !== '', 'the body is empty', invalid("Body can't be blank"));
	const tooLong = invalid('Body is too long (maximum is 65536 characters)');
	insist(codePoints(text) <= 65_536, `${codePoints(text)} characters`, tooLong);
	return text;
}
