-- AlterTable
ALTER TABLE "user" ADD COLUMN     "login" TEXT,
ALTER COLUMN "email" DROP NOT NULL;

-- CreateTable
CREATE TABLE "forge_delivery" (
    "id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "payload" TEXT,
    "state" TEXT NOT NULL,
    "note" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "forge_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forge_effect" (
    "key" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "note" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "forge_effect_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "forge_thread" (
    "operation_id" TEXT NOT NULL,
    "repository_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "review_id" BIGINT,
    "comment_id" BIGINT,
    "shown" TEXT,
    "shown_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "forge_thread_pkey" PRIMARY KEY ("operation_id")
);

-- CreateTable
CREATE TABLE "forge_feedback" (
    "key" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "items" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "batch" TEXT,
    "revision" INTEGER,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "forge_feedback_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "forge_reply" (
    "key" TEXT NOT NULL,
    "repository_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "comment_id" BIGINT,
    "body" TEXT NOT NULL,
    "resolves" BOOLEAN NOT NULL DEFAULT false,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "posted_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "forge_reply_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "forge_cursor" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "forge_cursor_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "forge_delivery_state_received_at_idx" ON "forge_delivery"("state", "received_at");

-- CreateIndex
CREATE INDEX "forge_thread_repository_id_number_idx" ON "forge_thread"("repository_id", "number");

-- CreateIndex
CREATE INDEX "forge_feedback_operation_id_closed_at_idx" ON "forge_feedback"("operation_id", "closed_at");

-- CreateIndex
CREATE INDEX "forge_reply_posted_at_created_at_idx" ON "forge_reply"("posted_at", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_organization_id_login_key" ON "user"("organization_id", "login");

-- AddForeignKey
ALTER TABLE "forge_thread" ADD CONSTRAINT "forge_thread_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forge_thread" ADD CONSTRAINT "forge_thread_repository_id_fkey" FOREIGN KEY ("repository_id") REFERENCES "repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forge_feedback" ADD CONSTRAINT "forge_feedback_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "forge_reply" ADD CONSTRAINT "forge_reply_repository_id_fkey" FOREIGN KEY ("repository_id") REFERENCES "repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
