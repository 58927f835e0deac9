import type { OpenString } from './open-string.js'
import type { AzureRegion, CredentialRecord, CredentialSettings } from './provider-credential.js'

/** A place for what is kept of calls. */
interface CallStorage {
  /** When an upload fails, places are tried in rising order of this; at least 1. */
  fallbackIndex?: number
}

interface S3Bucket extends CallStorage {
  provider: 's3'
  awsAccessKeyId: string
  region: string
  s3BucketName: string
  /** What every stored name begins with: `recordings/`. */
  s3PathPrefix: string
}

export interface CreateS3Credential extends CredentialSettings, S3Bucket {
  awsSecretAccessKey: string
}

export interface S3Credential extends CredentialRecord, S3Bucket {}

/** A service account's key of Google Cloud, less its private part. */
export interface GcpPublicKey {
  /** Mostly `service_account`. */
  type: string
  projectId: string
  privateKeyId: string
  clientEmail: string
  clientId: string
  authUri: string
  tokenUri: string
  authProviderX509CertUrl: string
  clientX509CertUrl: string
  universeDomain: string
}

/** The key that Google Cloud's console makes, its names in camel case. */
export interface GcpKey extends GcpPublicKey {
  /** PEM. */
  privateKey: string
}

interface GcpAccount extends CallStorage {
  provider: 'gcp'
  /** At most 40 characters. */
  region?: string
  bucketPlan?: GcpBucketPlan
}

export interface CreateGcpCredential extends CredentialSettings, GcpAccount {
  gcpKey: GcpKey
}

export interface GcpCredential extends CredentialRecord, GcpAccount {
  gcpKey: GcpPublicKey
}

interface AzureAccount extends CallStorage {
  provider: 'azure'
  /** Default `speech`. */
  service: 'speech' | 'blob_storage'
  region?: AzureRegion
  /** With service `blob_storage`. */
  bucketPlan?: AzureBucketPlan
}

export interface CreateAzureCredential extends CredentialSettings, AzureAccount {
  /** At most 10,000 characters. */
  apiKey?: string
}

export interface AzureCredential extends CredentialRecord, AzureAccount {}

interface CloudflareAccount extends CallStorage {
  provider: 'cloudflare'
  accountId?: string
  accountEmail?: string
  bucketPlan?: CloudflareBucketPlan
}

export interface CreateCloudflareCredential extends CredentialSettings, CloudflareAccount {
  /** A key or a token of Cloudflare's API. */
  apiKey?: string
}

export interface CloudflareCredential extends CredentialRecord, CloudflareAccount {}

interface SupabaseProject extends CallStorage {
  provider: 'supabase'
  bucketPlan?: SupabaseBucketPlan
}

export interface CreateSupabaseCredential extends CredentialSettings, SupabaseProject {}

export interface SupabaseCredential extends CredentialRecord, SupabaseProject {}

/** A bucket of Google Cloud, reached as S3 clients do. */
export interface GcpBucketPlan {
  name: string
  /** Goes before the credential's region; needed where data must stay in a region. */
  region?: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
  /** HMAC access key of the bucket; Google Cloud requires it. */
  hmacAccessKey?: string
  /** Secret of that key; Google Cloud requires it. Not given back. */
  hmacSecret?: string
}

/** A container of Azure Blob Storage. */
export interface AzureBucketPlan {
  /** The storage account's connection string: a secret. */
  connectionString: string
  containerName: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
}

/** A bucket of Cloudflare R2. */
export interface CloudflareBucketPlan {
  name: string
  accessKeyId?: string
  /** Not given back. */
  secretAccessKey?: string
  /** Base address of R2. */
  url?: string
  /** Folder for what is kept of calls. Default `/`. */
  path?: string
}

/** A bucket of Supabase's storage. The platform does not check that bucket and path exist: uploads fail later. */
export interface SupabaseBucketPlan {
  name: string
  region: OpenString<
    | 'us-west-1'
    | 'us-east-1'
    | 'us-east-2'
    | 'ca-central-1'
    | 'eu-west-1'
    | 'eu-west-2'
    | 'eu-west-3'
    | 'eu-central-1'
    | 'eu-central-2'
    | 'eu-north-1'
    | 'ap-south-1'
    | 'ap-southeast-1'
    | 'ap-southeast-2'
    | 'ap-northeast-1'
    | 'ap-northeast-2'
    | 'sa-east-1'
  >
  /** The project's S3 address: `https://<project>.supabase.co/storage/v1/s3`. */
  url: string
  accessKeyId: string
  secretAccessKey: string
  /** Folder in the bucket. */
  path?: string
}
