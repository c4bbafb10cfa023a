-- CreateTable
CREATE TABLE "denial" (
    "operation_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "rule" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "instead" TEXT,

    CONSTRAINT "denial_pkey" PRIMARY KEY ("operation_id","position","index")
);

-- CreateIndex
CREATE INDEX "denial_at_idx" ON "denial"("at");

-- AddForeignKey
ALTER TABLE "denial" ADD CONSTRAINT "denial_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
