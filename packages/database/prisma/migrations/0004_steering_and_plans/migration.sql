-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "hearing_closed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "message_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "message" (
    "operation_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "said_by" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "idempotency_key" TEXT,
    "said_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3),
    "seen_in_turn" INTEGER,

    CONSTRAINT "message_pkey" PRIMARY KEY ("operation_id","number")
);

-- CreateTable
CREATE TABLE "plan" (
    "operation_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "plan" JSON NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "decision" TEXT,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "message" TEXT,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("operation_id","version")
);

-- CreateIndex
CREATE UNIQUE INDEX "message_operation_id_idempotency_key_key" ON "message"("operation_id", "idempotency_key");

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Whose commit is on record goes on to its push, and hears nobody any more.
UPDATE "operation" SET "hearing_closed" = true
WHERE EXISTS (SELECT 1 FROM "event" WHERE "operation_id" = "operation"."id" AND "type" = 'proposal.committed');
