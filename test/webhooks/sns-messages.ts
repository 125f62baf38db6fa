import {sign} from 'node:crypto';
import {readFileSync} from 'node:fs';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The certificate that signs the messages of these tests. */
export const snsCertificate = pem('sns.pem');

/** The same key under the name of somebody else. */
export const foreignCertificate = pem('sns-foreign.pem');

export const snsTopic = 'arn:aws:sns:us-west-2:123456789012:MyTopic';

export const snsCertificateUrl = 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-0f1e.pem';

type Message = Readonly<Record<string, unknown>>;

/** A message with the proof of SNS, made after its documentation and nothing of ours. */
export function signSns(
	message: Message,
	{version = '2', url = snsCertificateUrl}: {readonly version?: '1' | '2'; readonly url?: string} = {},
): Message {
	const names =
		message['Type'] === 'Notification'
			? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
			: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
	const text = names
		.filter(name => message[name] !== undefined)
		.map(name => `${name}\n${String(message[name])}\n`)
		.join('');
	const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), pem('sns.key'));
	return {...message, SignatureVersion: version, Signature: signature.toString('base64'), SigningCertURL: url};
}

/** A notification at that time, in milliseconds since the epoch. */
export function notification(at: number, changes: Message = {}): Message {
	return {
		Type: 'Notification',
		MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
		TopicArn: snsTopic,
		Subject: 'My First Message',
		Message: 'Hello world!',
		Timestamp: new Date(at).toISOString(),
		...changes,
	};
}

/** The confirmation of a subscription at that time. */
export function confirmation(at: number, changes: Message = {}): Message {
	const token = '2336412f37';
	return {
		Type: 'SubscriptionConfirmation',
		MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
		Token: token,
		TopicArn: snsTopic,
		Message: `You have chosen to subscribe to the topic ${snsTopic}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
		SubscribeURL: `https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${snsTopic}&Token=${token}`,
		Timestamp: new Date(at).toISOString(),
		...changes,
	};
}

/** Messages that AWS signed, and their certificate, from the tests of its library `aws-sdk-sns` (message_verifier_spec.rb). */
export const awsMessages = {
	at: Date.parse('2022-07-28T21:30:00Z'),
	certificate: `-----BEGIN CERTIFICATE-----
MIIF1zCCBL+gAwIBAgIQB9pYWG3Mi7xej22g9pobJTANBgkqhkiG9w0BAQsFADBG
MQswCQYDVQQGEwJVUzEPMA0GA1UEChMGQW1hem9uMRUwEwYDVQQLEwxTZXJ2ZXIg
Q0EgMUIxDzANBgNVBAMTBkFtYXpvbjAeFw0yMTA5MDcwMDAwMDBaFw0yMjA4MTcy
MzU5NTlaMBwxGjAYBgNVBAMTEXNucy5hbWF6b25hd3MuY29tMIIBIjANBgkqhkiG
9w0BAQEFAAOCAQ8AMIIBCgKCAQEAutFqueT3XgP13udzxE6UpbdjOtVO5DwoMpSM
iDNMnGzF1TYH5/R2LPUOBeTB0SkKnR4kpNcUZhicpGD4aKciz/GEZ6wu65xncfT9
H/KBOQwoXYTuClHwp6fYpGzcGFaFoEYMnijL/o4qmTSd+ukglQUgKpsDw4ofw6rU
m2CttJo+GQSNQ9NfGR1h/0J+zsApkeSYrXRx5wNlu87z8os1C/6PBrUHwt3xXeaf
Xzfwut8aRRYsS8BySOA9DAgLfNHlfdQCjKPXKrG/ussgReyWD6n/HH+j7Uha3xos
TzQqJifcxlTq6MxWdPR6fDaJNvqw6DOE7UjUNxHguXHlVfxhlQIDAQABo4IC6TCC
AuUwHwYDVR0jBBgwFoAUWaRmBlKge5WSPKOUByeWdFv5PdAwHQYDVR0OBBYEFAqz
C+vyouneE7mWWLbi9i0UsWUbMBwGA1UdEQQVMBOCEXNucy5hbWF6b25hd3MuY29t
MA4GA1UdDwEB/wQEAwIFoDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIw
OwYDVR0fBDQwMjAwoC6gLIYqaHR0cDovL2NybC5zY2ExYi5hbWF6b250cnVzdC5j
b20vc2NhMWIuY3JsMBMGA1UdIAQMMAowCAYGZ4EMAQIBMHUGCCsGAQUFBwEBBGkw
ZzAtBggrBgEFBQcwAYYhaHR0cDovL29jc3Auc2NhMWIuYW1hem9udHJ1c3QuY29t
MDYGCCsGAQUFBzAChipodHRwOi8vY3J0LnNjYTFiLmFtYXpvbnRydXN0LmNvbS9z
Y2ExYi5jcnQwDAYDVR0TAQH/BAIwADCCAX0GCisGAQQB1nkCBAIEggFtBIIBaQFn
AHYAKXm+8J45OSHwVnOfY6V35b5XfZxgCvj5TV0mXCVdx4QAAAF7vfDVkQAABAMA
RzBFAiEA2XfHuy36aqRFiaL8c3md2mH451go8707+fRE0pEdSRACIE/g5FXTUXUZ
PFcmOhm9TZ+uMY1i4CIQ/CKVWln6C3t+AHYAUaOw9f0BeZxWbbg3eI8MpHrMGyfL
956IQpoN/tSLBeUAAAF7vfDVjAAABAMARzBFAiBF1MhhFP0+FQt3daDFfMYoWwnr
muTInrjNpwfzlvQBugIhAPYadFzr+LaxSJoiZEbEHBvTts7bT0M3eCQONA2O7w6n
AHUAQcjKsd8iRkoQxqE6CUKHXk4xixsD6+tLx2jwkGKWBvYAAAF7vfDVdAAABAMA
RjBEAiAtPapmFAuA71ih4NoSd5hJelzAltNQpxDMcDfDyHyU8gIgWxmaa6+2KbBu
9xdv379zvnJACFR7jc+4asl08Dn4aagwDQYJKoZIhvcNAQELBQADggEBAA54QX0u
oFWXfMmv02CGZv4NWo5TapyeeixQ2kKpZHRdVZjxZrw+hoF6HD7P3kGjH8ztyJll
tDxB0qgMltbPhQdScwhA6iTgoaBYqEUC/VHKd4PmmPT6yIsM36NBZVmkGlzl5uNo
/dBgBaG0SsVJnhr5zro3c2quC7n6fVGEZhf/UgQwRnnvThnvbNKguglDMq4uEqv8
njKyleht+glkcmXO0m9qLKt6BOS0amy6U2GlAwRn0Wx02ndJtnRCSC6kPuRWK/SQ
FEjB7gCK4hdKaAOuWdZpI55vF6ifOeM8toC3g7ofO8qLTnJupAG+ZitY5J3cvHWr
HqOUdKigPDHYLRo=
-----END CERTIFICATE-----`,
	messages: [
		{
			Type: 'Notification',
			MessageId: '792cda85-518f-5dd3-9163-81d851212f3a',
			TopicArn: 'arn:aws:sns:us-east-2:295079676684:publish-and-verify-892f85fe-4836-424d-8188-ab85bef0f362',
			Message: 'Hello world',
			Timestamp: '2022-07-28T21:23:58.317Z',
			SignatureVersion: '1',
			Signature:
				'ghtf+deOBAzHJJZ6s6CdRLfTQAlcGzq9naoFM1wi0CJiq//uVRuZnamrkWNF0fhouMFvuLVRwcz8PZLUMSfnmd5VpdTKpTyiKmy1qJAZXma0w+yi7G+I33hD1Jyk1Nbym2n0kqp3fVu2aoooiN2ZeLAT2bH0/BtjLSfN1yAOKNoprco4qV9gGUZinXJdj9a1YdNhDR2jKi33ldlsVtEXAtiaDklGEk7DgRKX38GerBPiLg3FdtgY6KC7cdeGpU/dGK+4hjc83Ive1HoFkAwqhpgInM2sMytBosoiXfCmOKmU4xeGD0gHDNZTlJUJQDlzw8Eag0H9f/5zXF9d3uy0YQ==',
			SigningCertURL:
				'https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem',
		},
		{
			Type: 'Notification',
			MessageId: '17dea24b-55c2-540b-8362-f916557af765',
			TopicArn: 'arn:aws:sns:us-east-2:295079676684:publish-and-verify-62674b1d-4295-426b-88e7-5fb75652a04e',
			Message: 'Hello world',
			Timestamp: '2022-07-28T21:24:08.324Z',
			SignatureVersion: '2',
			Signature:
				'CXVqp9PfZAL+4JHS3Zxo1PFbQsvnOjvmYhtIf17TWpwc+iIVas8kZ8GopuzVzVMdatE7rCl/O4P91Zp05Dwz8lk8dLhfp8gSu3Njlzxlyrmzo9x3va3Jb7zFnedgS2GKnZWHGBdwTXho+TosNUE+3e10OMSlwN5XGDwX7+R3WL+rn+AXmFAqp3alg27sYa55h1dLE9cGszGPjScPdtF3BmZsUDMx9wSdNKsCk+vSvE8yBjnCmUl7laSFj3LzPVrlSwgNYCF3kYnNAkah7NplK4SFhJYLwS0HCVCQJKa8rVbQLf9cBTu60U402mrgy0bN8xWoyimzbYbrOMJjalqkUg==',
			SigningCertURL:
				'https://sns.us-east-2.amazonaws.com/SimpleNotificationService-7ff5318490ec183fbaddaa2a969abfda.pem',
		},
	],
} as const;
